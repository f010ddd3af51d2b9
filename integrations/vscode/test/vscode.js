// What the extension and the language client use of the editor, without an editor.
const path = require('node:path');
const { pathToFileURL, fileURLToPath } = require('node:url');

class Uri {
    constructor(href) { this.href = href; const url = new URL(href); this.scheme = url.protocol.slice(0, -1); }
    static parse(text) { return new Uri(text); }
    static file(file) { return new Uri(pathToFileURL(file).href); }
    get fsPath() { return fileURLToPath(this.href); }
    get path() { return new URL(this.href).pathname; }
    with() { return this; }
    toString() { return this.href; }
}
class Position { constructor(line, character) { this.line = line; this.character = character; } }
class Range { constructor(start, end, endLine, endCharacter) {
    if (typeof start === 'number') { this.start = new Position(start, end); this.end = new Position(endLine, endCharacter); }
    else { this.start = start; this.end = end; } } }
class Plain { constructor(...parts) { this.parts = parts; } }
class Diagnostic { constructor(range, message, severity) { Object.assign(this, { range, message, severity }); } }
class EventEmitter {
    constructor() { this.heard = new Set(); this.event = (listener, self) => { const bound = self ? listener.bind(self) : listener; this.heard.add(bound); return new Disposable(() => this.heard.delete(bound)); }; }
    fire(value) { for (const listener of [...this.heard]) { listener(value); } }
    dispose() { this.heard.clear(); }
}
class Disposable { constructor(end) { this.end = end; } dispose() { this.end?.(); } static from(...all) { return new Disposable(() => all.forEach((it) => it.dispose())); } }
class CancellationTokenSource { constructor() { this.token = { isCancellationRequested: false, onCancellationRequested: () => new Disposable() }; } cancel() {} dispose() {} }
class CodeActionKind { constructor(value) { this.value = value; } static Empty = new CodeActionKind(''); static QuickFix = new CodeActionKind('quickfix'); append(part) { return new CodeActionKind(part); } }

/** An editor with one folder, these settings, and these open documents. */
exports.editor = function editor({ folder, settings, documents }) {
    const seen = { commands: new Map(), diagnostics: new Map(), errors: [], changed: new EventEmitter() };
    const silent = new Proxy({}, { get: (_, name) => (String(name).startsWith('on') ? () => new Disposable() : undefined) });
    const register = () => new Disposable();
    const enumeration = new Proxy({}, { get: (_, name) => name });
    const numbered = (...names) => Object.fromEntries(names.flatMap((name, index) => [[name, index], [index, name]]));
    const events = (base) => new Proxy(base, { get: (target, name) => (name in target ? target[name] : String(name).startsWith('on') ? () => new Disposable() : String(name).startsWith('register') ? register : undefined) });
    const known = {
        Uri, Position, Range, Diagnostic, EventEmitter, Disposable, CancellationTokenSource, CodeActionKind,
        DiagnosticSeverity: numbered('Error', 'Warning', 'Information', 'Hint'),
        DiagnosticTag: { Unnecessary: 1, Deprecated: 2 },
        version: '1.82.0',
        env: { appName: 'test', language: 'en', machineId: 'none', openExternal: async () => true },
        commands: { registerCommand: (name, run) => { seen.commands.set(name, run); return new Disposable(() => seen.commands.delete(name)); }, executeCommand: async () => undefined },
        window: events({
            showErrorMessage: async (text) => { seen.errors.push(text); },
            showWarningMessage: async () => undefined, showInformationMessage: async () => undefined,
            createOutputChannel: () => ({ append() {}, appendLine() {}, show() {}, dispose() {}, clear() {} }),
            withProgress: async (_, task) => task({ report() {} }, { isCancellationRequested: false, onCancellationRequested: () => new Disposable() }),
            visibleTextEditors: [], tabGroups: { all: [], onDidChangeTabs: () => new Disposable() },
        }),
        workspace: events({
            getConfiguration: () => ({ get: (name, usual) => (name in settings ? settings[name] : usual) }),
            onDidChangeConfiguration: seen.changed.event,
            textDocuments: documents, notebookDocuments: [],
            workspaceFolders: [{ uri: Uri.file(folder), name: path.basename(folder), index: 0 }],
            createFileSystemWatcher: () => events({ dispose() {} }),
            getWorkspaceFolder: () => undefined,
            fs: silent,
        }),
        languages: events({
            createDiagnosticCollection: () => ({ set: (uri, all) => { seen.diagnostics.set(uri.toString(), all); seen.onDiagnostics?.(); }, delete() {}, clear() {}, dispose() {} }),
            match: (selector, document) => (selector.some?.((it) => it.language === document.languageId) ? 10 : 0),
        }),
    };
    const vscode = new Proxy(known, { get: (target, name) => (name in target ? target[name] : /^[A-Z].*(Kind|Severity|Reason|Type|Tag|Location|Alignment|State|Behavior|Character|Mode)$/.test(String(name)) ? enumeration : /^[A-Z]/.test(String(name)) ? Plain : undefined), has: () => true });
    return { vscode, seen };
};
exports.document = (file, text) => ({ uri: Uri.file(file), languageId: 'java', version: 1, fileName: file, getText: () => text, isClosed: false });
