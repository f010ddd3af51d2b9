// Places as links into an editor. Every reader has an editor and a checkout of their own, so both are settings of the browser and not
// of the report.

const EDITORS = {
  '': ['no links', ''],
  vscode: ['Visual Studio Code', 'vscode://file/{path}:{line}'],
  idea: ['IntelliJ IDEA', 'idea://open?file={path}&line={line}'],
  other: ['another editor', ''],
};
const links = { editor: '', template: '', root: '' };
try {
  Object.assign(links, JSON.parse(localStorage.getItem('selvedge-links') || '{}'));
} catch { /* Without links. */ }

// The address of a place, if the file is known and an editor is chosen.
function address(frame) {
  const template = links.editor === 'other' ? links.template : (EDITORS[links.editor] || EDITORS[''])[1];
  if (!template || !frame.path || /^\s*javascript:/i.test(template)) return null;
  const path = frame.path.startsWith('/') || !links.root ? frame.path : `${links.root.replace(/\/+$/, '')}/${frame.path}`;
  return template.replace('{path}', encodeURI(path)).replace('{line}', String(frame.line || 1));
}

// The settings, for the dialog; `changed` shows them.
function linkSettings(changed) {
  const keep = (name, value) => {
    links[name] = value;
    template.hidden = links.editor !== 'other';
    try { localStorage.setItem('selvedge-links', JSON.stringify(links)); } catch { /* Not kept. */ }
    changed();
  };
  const field = (name, label, hint) => el('input', {
    type: 'text', id: `links-${name}`, 'aria-label': label, placeholder: hint, value: links[name], spellcheck: 'false',
    oninput: event => keep(name, event.target.value),
  });
  const template = field('template', 'Address of a place', 'editor://{path}:{line}');
  template.hidden = links.editor !== 'other';
  const editor = el('select', { id: 'links-editor', 'aria-label': 'Editor', onchange: event => keep('editor', event.target.value) },
    Object.entries(EDITORS).map(([name, [title]]) => el('option', { value: name, selected: name === links.editor }, title)));
  return el('div', { class: 'links' }, el('p', {}, 'Open places in'), editor, template,
    field('root', 'Folder of the sources', 'folder of the sources, if paths are relative'));
}
