// The extension and the real language client, in an editor that is not there, against a recorded session.
// With SELVEDGE=/path/to/selvedge also against the server itself, which needs a JDK.
const assert = require('node:assert');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const Module = require('node:module');
const os = require('node:os');
const path = require('node:path');
const test = require('node:test');
const { pathToFileURL } = require('node:url');
const { editor, document } = require('./vscode.js');

const COUNTER = `class Counter {
    int count;

    public static void main(String[] arguments) {
        Counter counter = new Counter();
        new Thread(() -> counter.count++).start();
        counter.count++;
    }
}
`;

/** Starts the extension in a folder with one class, and waits for diagnostics. */
async function session(executable, environment) {
    const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'selvedge-vscode-')));
    const file = path.join(folder, 'Counter.java');
    fs.writeFileSync(file, COUNTER);
    const { vscode, seen } = editor({
        folder,
        settings: { path: executable, minConfidence: 'low' },
        documents: [document(file, COUNTER)],
    });
    const load = Module._load;
    Module._load = (name, ...rest) => (name === 'vscode' ? vscode : load(name, ...rest));
    delete require.cache[require.resolve('../out/extension.js')];
    const extension = require('../out/extension.js');
    Module._load = load;
    const shown = new Promise((resolve) => { seen.onDiagnostics = resolve; });
    Object.assign(process.env, environment(folder, file));
    await extension.activate({ subscriptions: [], extensionPath: folder });
    await shown;
    const all = [...seen.diagnostics.values()].flat();
    const commands = [...seen.commands.keys()];
    await extension.deactivate();
    return { all, commands, seen, file };
}

test('a recorded session', async () => {
    const executable = path.join(__dirname, 'recorded.js');
    let heard;
    const { all, commands, seen, file } = await session(executable, (folder, source) => {
        heard = path.join(folder, 'heard');
        const text = fs.readFileSync(path.join(__dirname, 'session.json'), 'utf8');
        const recorded = path.join(folder, 'session.json');
        fs.writeFileSync(recorded, text.replaceAll('FILE', pathToFileURL(source).href));
        return { SELVEDGE_SESSION: recorded, SELVEDGE_HEARD: heard };
    });
    assert.deepStrictEqual([...seen.diagnostics.keys()], [pathToFileURL(file).href]);
    assert.ok(all.length > 0 && all.every((it) => it.source === 'selvedge' && it.relatedInformation.length > 0));
    for (const command of ['selvedge.restart', 'selvedge.accept', 'selvedge.confirm', 'selvedge.writeTest']) {
        assert.ok(commands.includes(command), command);
    }
    // The server's process ends by itself after the extension has said good-bye.
    while (!fs.readFileSync(heard, 'utf8').includes('"exit"')) {
        await new Promise((resolve) => { setTimeout(resolve, 20); });
    }
    const messages = fs.readFileSync(heard, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
    const methods = messages.map((it) => it.method);
    assert.deepStrictEqual(methods.slice(0, 2), ['initialize', 'initialized']);
    assert.deepStrictEqual(methods.slice(-2), ['shutdown', 'exit']);
    assert.ok(methods.includes('textDocument/didOpen'));
    assert.strictEqual(messages[0].params.initializationOptions.minConfidence, 'low');
});

test('a session with the server', { skip: process.env.SELVEDGE === undefined }, async () => {
    const { all, seen } = await session(process.env.SELVEDGE, (folder, source) => {
        execFileSync('javac', ['-g', '-d', path.join(folder, 'classes'), source]);
        return { XDG_CACHE_HOME: path.join(folder, '.cache') };
    });
    assert.deepStrictEqual(seen.errors, []);
    assert.ok(all.some((it) => it.source === 'selvedge' && it.range.start.line === 6), JSON.stringify(all));
});

test('a missing executable is named', async () => {
    const { vscode, seen } = editor({ folder: os.tmpdir(), settings: { path: '/no/selvedge' }, documents: [] });
    const load = Module._load;
    Module._load = (name, ...rest) => (name === 'vscode' ? vscode : load(name, ...rest));
    delete require.cache[require.resolve('../out/extension.js')];
    const extension = require('../out/extension.js');
    Module._load = load;
    await extension.activate({ subscriptions: [], extensionPath: os.tmpdir() });
    assert.match(seen.errors[0], /no selvedge executable at \/no\/selvedge/);
});
