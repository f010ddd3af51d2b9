import * as vscode from 'vscode';
import { LanguageClient, LanguageClientOptions, ServerOptions } from 'vscode-languageclient/node';
import { locate } from './locate';

let client: LanguageClient | undefined;

/** Starts the server when a source file of the JVM's languages is opened, and again when a setting changes. */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
    const restart = async (): Promise<void> => {
        await deactivate();
        await start(context);
    };
    context.subscriptions.push(
        vscode.commands.registerCommand('selvedge.restart', restart),
        vscode.workspace.onDidChangeConfiguration(async (event) => {
            if (event.affectsConfiguration('selvedge')) {
                await restart();
            }
        }),
    );
    await start(context);
}

/** Stops the server. */
export async function deactivate(): Promise<void> {
    const stopped = client;
    client = undefined;
    await stopped?.stop();
}

async function start(context: vscode.ExtensionContext): Promise<void> {
    const settings = vscode.workspace.getConfiguration('selvedge');
    const set = settings.get<string>('path', '');
    const command = locate(set, context.extensionPath, process.env);
    if (command === undefined) {
        const where = set === '' ? 'on the PATH' : `at ${set}`;
        const message = `There is no selvedge executable ${where}. Install Selvedge, or set "selvedge.path".`;
        void vscode.window.showErrorMessage(message);
        return;
    }
    const server: ServerOptions = { command, args: ['lsp'] };
    const languages = ['java', 'kotlin', 'scala', 'groovy'];
    const options: LanguageClientOptions = {
        documentSelector: languages.map((language) => ({ scheme: 'file', language })),
        initializationOptions: {
            classes: settings.get<string[]>('classes', []),
            classpath: settings.get<string | null>('classpath', null),
            sources: settings.get<string[]>('sources', []),
            arguments: settings.get<string[]>('arguments', []),
            minConfidence: settings.get<string>('minConfidence', 'medium'),
            maxMemory: settings.get<string>('maxMemory', '2G'),
            command: settings.get<string[]>('command', []),
            tests: settings.get<string | null>('tests', null),
            rules: settings.get<string | null>('rules', null),
            baseline: settings.get<string>('baseline', 'selvedge-baseline.json'),
        },
    };
    client = new LanguageClient('selvedge', 'Selvedge', server, options);
    await client.start();
}
