// What was counted: the funnel of stages as a chart, the further refuters, times, the program, assumptions, problems.

function funnel(stages) {
  const [height, left, width] = [34, 110, 560];
  const original = Math.max(1, stages.length ? stages[0][1] : 1);
  // Stages fall by orders of magnitude: the length is the logarithm, so that the last ones can be seen and compared.
  const scale = count => count <= 0 ? 0 : Math.max(3, width * Math.log(count + 1) / Math.log(original + 1));
  const rows = stages.map(([name, count], index) => {
    const y = index * height;
    const share = count * 100 / original;
    const removed = index ? stages[index - 1][1] - count : 0;
    return svg('g', { transform: `translate(0 ${y})` },
      svg('text', { x: left - 10, y: 19, 'text-anchor': 'end' }, name),
      svg('rect', { class: 'track', x: left, y: 4, width, height: 22, rx: 3 }),
      svg('rect', { class: 'bar', x: left, y: 4, width: scale(count), height: 22, rx: 3 }),
      svg('text', { x: left + width + 12, y: 19 }, thousands(count)),
      svg('text', { x: left + width + 110, y: 19, class: 'faint' }, `${share >= 10 || share === 0 ? share.toFixed(0) : share.toPrecision(2)} %`),
      index ? svg('text', { x: left + width + 170, y: 19, class: 'faint' }, `−${thousands(removed)}`) : null);
  });
  return svg('svg', { viewBox: `0 0 940 ${stages.length * height}`, width: 940, height: stages.length * height, role: 'img', 'aria-label': 'Pairs of accesses left after each stage', style: 'max-width:100%;height:auto' }, rows);
}

function times(phases) {
  const total = Math.max(1, phases.reduce((sum, phase) => sum + phase.ms, 0));
  const width = 360;
  return el('table', {}, el('tbody', {}, phases.map(phase => el('tr', {},
    el('td', {}, phase.name), el('td', { class: 'number' }, duration(phase.ms)),
    el('td', {}, svg('svg', { width, height: 14, 'aria-hidden': 'true' },
      svg('rect', { class: 'bar', y: 2, width: Math.max(1, width * phase.ms / total), height: 10, rx: 2 })))))));
}

function table(rows) {
  return el('table', {}, el('tbody', {}, rows.map(([name, value]) => el('tr', {}, el('td', {}, name), el('td', { class: 'number' }, value)))));
}

function inputRows() {
  const { paths, classpath, jdk, main, library, analyses, options } = DATA.input;
  const rows = [['input', paths.join(', ')]];
  if (classpath) rows.push(['class path', classpath.join(', ')]);
  if (jdk) rows.push(['JDK', jdk]);
  if (main) rows.push(['main class', main]);
  if (library) rows.push(['library', library.length ? library.join(', ') : 'all public classes']);
  rows.push(['analyses', analyses.join(', ')]);
  for (const [name, value] of Object.entries(options || {})) rows.push([name, value]);
  rows.push(['made by', `selvedge ${DATA.version}`]);
  return el('table', {}, el('tbody', {}, rows.map(([name, value]) => el('tr', {}, el('td', { class: 'faint' }, name), el('td', {}, value)))));
}

function statisticsPage() {
  const stats = DATA.stats;
  const program = [['classes', stats.classes], ['methods', stats.methods], ['contexts', stats.contexts], ['objects', stats.objects]]
    .map(([name, count]) => [name, thousands(count)]);
  if (stats.peak_rss_bytes) program.push(['memory', `${thousands(Math.round(stats.peak_rss_bytes / 1e6))} MB`]);
  const suppressed = Object.entries(stats.suppressed || {});
  const section = (title, ...body) => [el('h2', {}, title), body];
  return el('div', { class: 'sheet', tabindex: 0 },
    section('Analysed', inputRows()),
    section('Pairs of accesses left after each stage', funnel(DATA.stages), el('p', { class: 'faint' }, 'The length of a bar is the logarithm of its number.')),
    stats.refuters.length ? section('Removed by further refuters', table(stats.refuters.map(refuter => [refuter.name, thousands(refuter.removed)]))) : null,
    suppressed.length ? section('Suppressed findings', table(suppressed.map(([reason, count]) => [reason, thousands(count)]))) : null,
    stats.phases.length ? section('Time', times(stats.phases)) : null,
    section('Program', table(program)),
    DATA.assumptions.length ? section('The result rests on', el('ul', {}, DATA.assumptions.map(text => el('li', {}, text)))) : null,
    DATA.problems.length ? section('Problems with the input', el('ul', {}, DATA.problems.map(problem =>
      el('li', {}, el('code', {}, problem.place), ` ${problem.message} `, el('span', { class: 'faint' }, problem.kind))))) : null);
}

function locationName(location) {
  if (location.field !== undefined) return `${location.class}.${location.field}`;
  const holder = location.held_by[0];
  return holder ? `${location.class} in ${holder.class}.${holder.field}` : location.class;
}

function safePage() {
  const rows = DATA.safe.flatMap(safe => safe.because.map((because, index) => el('tr', {},
    el('td', { class: 'code' }, index ? '' : locationName(safe.location)),
    el('td', {}, because.refuter, because.examples ? el('div', { class: 'faint' }, because.examples.join('; ')) : null),
    el('td', {}, because.strength), el('td', { class: 'number' }, thousands(because.count)))));
  return el('div', { class: 'sheet', tabindex: 0 }, el('h2', {}, 'Why these locations are safe'),
    el('table', {}, el('thead', {}, el('tr', {}, ['location', 'refuted by', 'strength'].map(title => el('th', {}, title)), el('th', { class: 'number' }, 'pairs'))),
      el('tbody', {}, rows)));
}

function suppressedPage() {
  const rows = DATA.suppressed.map(it => el('tr', {},
    el('td', {}, el('span', { class: 'code' }, it.location), el('div', { class: 'faint' }, it.what), el('div', { class: 'faint code' }, it.key)),
    el('td', {}, it.by), el('td', {}, it.reason)));
  return el('div', { class: 'sheet', tabindex: 0 }, el('h2', {}, 'Findings that are not reported, and why'),
    el('table', {}, el('thead', {}, el('tr', {}, ['finding', 'left out by', 'reason'].map(title => el('th', {}, title)))), el('tbody', {}, rows)));
}
