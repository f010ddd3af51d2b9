const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const test = require('node:test');
const { locate } = require('../out/locate.js');

function folderWith(...names) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'selvedge-vscode-'));
    for (const name of names) {
        const file = path.join(folder, name);
        fs.mkdirSync(path.dirname(file), { recursive: true });
        fs.writeFileSync(file, '', { mode: 0o755 });
    }
    return folder;
}

test('the executable that is set is taken, or none', () => {
    const folder = folderWith('other/selvedge', 'bin/selvedge');
    const set = path.join(folder, 'other/selvedge');
    assert.strictEqual(locate(set, folder, { PATH: '' }), set);
    assert.strictEqual(locate(path.join(folder, 'absent'), folder, { PATH: '' }), undefined);
});

test('the one in the extension comes before the one on the PATH', () => {
    const extension = folderWith('bin/selvedge');
    const onPath = folderWith('selvedge');
    assert.strictEqual(locate('', extension, { PATH: onPath }), path.join(extension, 'bin/selvedge'));
    assert.strictEqual(locate('', folderWith(), { PATH: onPath }), path.join(onPath, 'selvedge'));
    assert.strictEqual(locate('', folderWith(), {}), undefined);
});
