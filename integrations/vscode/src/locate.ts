import * as fs from 'node:fs';
import * as path from 'node:path';

/** The executable to start: the one that is set, the one in the extension, or the one on the `PATH`. */
export function locate(set: string, extension: string, environment: NodeJS.ProcessEnv): string | undefined {
    if (set !== '') {
        return isExecutable(set) ? set : undefined;
    }
    const name = process.platform === 'win32' ? 'selvedge.exe' : 'selvedge';
    const folders = [path.join(extension, 'bin'), ...(environment.PATH ?? '').split(path.delimiter)];
    return folders
        .filter((folder) => folder !== '')
        .map((folder) => path.join(folder, name))
        .find(isExecutable);
}

function isExecutable(file: string): boolean {
    try {
        fs.accessSync(file, fs.constants.X_OK);
        return fs.statSync(file).isFile();
    } catch {
        return false;
    }
}
