// Pictures of a finding: the heap around the racy object, and who uses it.

function text(x, y, words, most, attributes) {
  return svg('text', { x, y, ...attributes }, shortened(words, most), svg('title', {}, words));
}

// How wide letters of a box and of what stands below its name or beside an arrow are, at most.
const [LETTER, SMALL_LETTER] = [7.9, 7.3];

// The width that the longest of some texts needs, within bounds.
function fitted(texts, letter, least, most) {
  return Math.round(Math.min(most, Math.max(least, ...texts.map(it => it.length * letter + 20))));
}

// An arrow from one point to another, with its head at the end.
function arrow(x1, y1, x2, y2, attributes) {
  const angle = Math.atan2(y2 - y1, x2 - x1);
  const wing = turn => `${(x2 - 8 * Math.cos(angle + turn)).toFixed(1)} ${(y2 - 8 * Math.sin(angle + turn)).toFixed(1)}`;
  return svg('path', { class: 'arrow', ...attributes, d: `M${x1} ${y1} L${x2} ${y2} M${wing(0.5)} L${x2} ${y2} L${wing(-0.5)}` });
}

// The columns of the heap: what holds the racy object to its left, at its distance, what it holds to its right.
function columns(graph) {
  const distance = graph.nodes.map(() => Infinity);
  distance[0] = 0;
  const pending = [0];
  while (pending.length) {
    const node = pending.shift();
    for (const [from, to] of graph.edges) {
      if (to === node && distance[from] === Infinity && graph.nodes[from].role !== 'held') { distance[from] = distance[node] + 1; pending.push(from); }
    }
  }
  const levels = new Map();
  graph.nodes.forEach((node, index) => {
    const level = index === 0 ? 0 : distance[index] === Infinity ? 1 : -distance[index];
    if (!levels.has(level)) levels.set(level, []);
    levels.get(level).push(index);
  });
  return [...levels].sort(([a], [b]) => a - b);
}

function heapPicture(finding) {
  const graph = finding.heap;
  if (!graph || graph.nodes.length < 2) return null;
  const fields = (from, to) => graph.edges.filter(edge => edge[0] === from && edge[1] === to).map(edge => edge[2]).join(', ');
  const below = node => node.role === 'class' ? 'class' : node.at === undefined ? '' : `created at ${DATA.frames[node.at].place}`;
  const box = Math.max(fitted(graph.nodes.map(node => simple(node.class, 1)), LETTER, 150, 300), fitted(graph.nodes.map(below), SMALL_LETTER, 150, 300));
  const gap = fitted(graph.edges.map(([from, to]) => fields(from, to)), SMALL_LETTER, 84, 220);
  const [height, apart] = [46, 20];
  const levels = columns(graph);
  const tallest = Math.max(...levels.map(([, nodes]) => nodes.length));
  const total = tallest * (height + apart) - apart;
  const places = [];
  levels.forEach(([, nodes], column) => nodes.forEach((node, row) => {
    const own = nodes.length * (height + apart) - apart;
    places[node] = { x: column * (box + gap), y: (total - own) / 2 + row * (height + apart), column };
  }));
  const width = levels.length * (box + gap) - gap;
  const edges = graph.edges.map(([from, to, by]) => {
    const [a, b] = [places[from], places[to]];
    // Several fields between the same two stand on one edge.
    const name = fields(from, to);
    if (name !== by && !name.startsWith(`${by}, `)) return null;
    if (a.column === b.column) {
      const x = a.x + box;
      const [y1, y2] = [a.y + height / 2, b.y + height / 2];
      return from === to
        ? [svg('path', { class: 'arrow', d: `M${a.x + 24} ${a.y} q15 -18 30 0` }), text(a.x + 58, a.y - 4, name, 16, { class: 'edge' })]
        : [svg('path', { class: 'arrow', d: `M${x} ${y1} q30 ${(y2 - y1) / 2} 2 ${y2 - y1}` }), text(x + 18, (y1 + y2) / 2, name, Math.floor((gap - 24) / SMALL_LETTER), { class: 'edge' })];
    }
    const forward = a.column < b.column;
    const [x1, x2] = forward ? [a.x + box + 1, b.x - 2] : [a.x - 1, b.x + box + 2];
    const [y1, y2] = [a.y + height / 2, b.y + height / 2];
    return [arrow(x1, y1, x2, y2), text(x1 + (x2 - x1) * 0.5, y1 + (y2 - y1) * 0.5 - 3, name, Math.floor((gap - 14) / SMALL_LETTER), { class: 'edge', 'text-anchor': 'middle' })];
  });
  const nodes = graph.nodes.map((node, index) => {
    const { x, y } = places[index];
    const under = below(node);
    return svg('g', {}, svg('rect', { x, y, width: box, height, rx: node.role === 'class' ? 0 : 8, class: `box ${index ? node.role : 'raced'}` }),
      text(x + box / 2, y + (under ? 20 : 28), simple(node.class, 1), Math.floor((box - 12) / LETTER), { 'text-anchor': 'middle' }),
      under ? text(x + box / 2, y + 37, under, Math.floor((box - 12) / SMALL_LETTER), { 'text-anchor': 'middle', class: 'faint' }) : null);
  });
  // Room above for an arrow from a box in the first row to itself.
  const above = graph.edges.some(([from, to]) => from === to && places[from].y < 20) ? 18 : 3;
  const label = `The heap around ${graph.nodes[0].class}`;
  return [el('h3', {}, 'Where the object is'),
    el('div', { class: 'picture', tabindex: 0, 'data-look': places[0].x / (width + 40) }, svg('svg', { viewBox: `-3 ${-above} ${width + 40} ${total + above + 6}`, width: width + 40, height: total + above + 6, role: 'img', 'aria-label': label, id: 'heap', style: `min-width:${Math.round(width * 0.72)}px` }, edges, nodes)),
    el('p', { class: 'faint' }, 'An arrow is a field that may hold the object it points to. ',
      graph.left_out ? `${counted(graph.left_out, 'further reference is', 'further references are')} left out.` : '')];
}

// All call paths to the two accesses: threads start on the left, accesses are on the right, each method at its distance from the accesses.
function callPicture(finding) {
  const graph = finding.calls;
  if (!graph) return null;
  const box = fitted(graph.methods.map(([frame]) => DATA.frames[frame].short), LETTER, 150, 320);
  const [gap, height, apart] = [60, 40, 16];
  const distance = graph.methods.map(([, , is_access]) => is_access ? 0 : Infinity);
  const pending = [...distance.keys()].filter(node => distance[node] === 0);
  while (pending.length) {
    const node = pending.shift();
    for (const [from, to] of graph.calls) {
      if (to === node && distance[from] === Infinity) { distance[from] = distance[node] + 1; pending.push(from); }
    }
  }
  const most = Math.max(0, ...distance.filter(Number.isFinite));
  const columns = Array.from({ length: most + 1 }, () => []);
  distance.forEach((it, node) => columns[most - Math.min(it, most)].push(node));
  const total = Math.max(...columns.map(nodes => nodes.length)) * (height + apart) - apart;
  const places = [];
  columns.forEach((nodes, column) => nodes.forEach((node, row) => {
    const own = nodes.length * (height + apart) - apart;
    places[node] = { x: column * (box + gap), y: (total - own) / 2 + row * (height + apart), column };
  }));
  const width = columns.length * (box + gap) - gap;
  const drawn = new Set();
  const edges = graph.calls.map(([from, to]) => {
    if (from === to || drawn.has(`${from} ${to}`)) return null;
    drawn.add(`${from} ${to}`);
    const [a, b] = [places[from], places[to]];
    const name = graph.calls.filter(call => call[0] === from && call[1] === to).map(call => call[2]).filter(line => line !== null);
    const title = svg('title', {}, `${DATA.frames[graph.methods[from][0]].short} calls ${DATA.frames[graph.methods[to][0]].short}${name.length ? ` at line ${name.join(', ')}` : ''}`);
    const [y1, y2] = [a.y + height / 2, b.y + height / 2];
    if (a.column < b.column) return svg('g', {}, arrow(a.x + box + 1, y1, b.x - 2, y2), title);
    const x = a.x + box;
    return svg('g', {}, svg('path', { class: 'arrow', d: `M${x} ${y1} C${x + 40} ${y1} ${b.x + box + 40} ${y2} ${b.x + box + 2} ${y2}` }), title);
  });
  const nodes = graph.methods.map(([frame, is_start, is_access], index) => {
    const { x, y } = places[index];
    const below = is_start && is_access ? 'start of a thread, access' : is_start ? 'start of a thread' : is_access ? 'access' : '';
    return svg('g', {}, svg('rect', { x, y, width: box, height, rx: 6, class: `box ${is_access ? 'raced' : is_start ? 'class' : 'holder'}` }),
      text(x + box / 2, y + (below ? 17 : 24), DATA.frames[frame].short, Math.floor((box - 12) / LETTER), { 'text-anchor': 'middle' }),
      below ? text(x + box / 2, y + 33, below, Math.floor((box - 12) / SMALL_LETTER), { 'text-anchor': 'middle', class: 'faint' }) : null);
  });
  const count = number => number >= 1000000 ? 'over a million call paths' : counted(number, 'call path', 'call paths');
  return [el('h3', {}, 'All call paths'),
    el('div', { class: 'picture', tabindex: 0 }, svg('svg', { viewBox: `-3 -6 ${width + 46} ${total + 14}`, width: width + 46, height: total + 14, role: 'img', 'aria-label': 'All call paths to the two accesses', id: 'calls', style: `min-width:${Math.round(width * 0.72)}px` }, edges, nodes)),
    el('p', { class: 'faint' }, `${count(graph.leading[0])} to the first access, ${count(graph.leading[1])} to the second. An arrow is a call. `,
      graph.left_out ? `${counted(graph.left_out, 'method is', 'methods are')} left out.` : '')];
}

// The use graph as far as it concerns a finding: who uses the memory, each thread in a lane of its own. Down to the two accesses
// time runs downwards in a lane; between lanes only arrows order anything. Below them stand further uses, in no known order.
function usePicture(finding) {
  const uses = usesOf(finding);
  const [lane, top, step, box, boxHeight] = [290, 58, 54, 266, 42];
  const lanes = [{ title: 'before', events: uses.before, further: [] }, ...uses.lanes];
  const shown = lanes.map((it, index) => ({ ...it, index })).filter(it => it.index > 0 || it.events.length);
  // Both accesses stand in one row: the last before the further uses.
  const rows = uses.before.length + Math.max(...uses.lanes.map(it => it.events.length));
  const furtherRows = Math.max(...uses.lanes.map(it => it.further.length));
  const firstRow = it => it.index ? rows - it.events.length : 0;
  const below = furtherRows ? 26 : 0;
  const [width, height] = [shown.length * lane, top + (rows + furtherRows) * step + below + 8];
  const classes = ['', 'first', 'second', 'other', 'other'];
  const position = (column, row) => ({ x: column * lane + 6, y: top + row * step + (row >= rows ? below : 0) });
  const drawn = [];
  const draw = (event, column, row, kind) => {
    const { x, y } = position(column, row);
    const centre = { 'text-anchor': 'middle' };
    drawn.push(svg('g', {}, svg('title', {}, `${event.what}\n${event.where}`),
      svg('rect', { x, y, width: box, height: boxHeight, rx: 6, class: `box ${kind} ${event.is_it ? 'it' : ''}` }),
      text(x + box / 2, y + 18, event.what, 36, centre),
      text(x + box / 2, y + 34, event.where.length > 42 ? event.where.split(' in ')[0] : event.where, 42, { ...centre, class: 'faint' })));
  };
  shown.forEach((it, column) => {
    const centre = column * lane + 6 + box / 2;
    const title = { 'text-anchor': 'middle', class: `title ${classes[it.index]}` };
    lines(it.title, 34).forEach((line, row, all) => drawn.push(text(centre, 36 - 17 * (all.length - 1 - row), line, 40, title)));
    const end = it.index ? top + rows * step - 12 : top + it.events.length * step - 12;
    if (it.events.length) drawn.push(svg('line', { x1: centre, x2: centre, y1: 44, y2: end, class: `lane ${classes[it.index]}` }));
    it.events.forEach((event, row) => draw(event, column, firstRow(it) + row, classes[it.index]));
    it.further.forEach((event, row) => draw(event, column, rows + row, `${classes[it.index]} further`));
  });
  if (furtherRows) {
    const y = top + rows * step + 4;
    drawn.push(svg('line', { x1: 6, x2: width - 18, y1: y, y2: y, class: 'lane', 'stroke-dasharray': '2 5' }),
      text(6, y + 15, 'also used, in no known order', 60, { class: 'faint' }));
  }
  // Starts order what is before with the thread that is started.
  uses.before.forEach((event, row) => (event.starts || []).forEach(index => {
    const from = position(0, row);
    const column = shown.findIndex(it => it.index === index + 1);
    const to = position(column, firstRow(shown[column]));
    drawn.push(svg('path', { class: `arrow ${classes[index + 1]}`, d: `M${from.x + box} ${from.y + 20} C${from.x + box + 40} ${from.y + 20} ${to.x + box / 2} ${to.y - 40} ${to.x + box / 2} ${to.y - 3}` }));
  }));
  const its = [1, 2].map(index => position(shown.findIndex(it => it.index === index), rows - 1));
  drawn.push(svg('path', { class: 'clash', d: `M${its[0].x + box} ${its[0].y + 21} L${its[1].x} ${its[1].y + 21}` }));
  return [el('h3', {}, 'Who uses it'),
    el('div', { class: 'picture', tabindex: 0 }, svg('svg', { viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': 'What happens before, and in each thread that uses it', id: 'uses', style: `min-width:${Math.round(width * 0.74)}px` }, drawn)),
    el('p', { class: 'faint' }, 'A lane is a thread; time runs downwards to the two accesses joined by the dashed line, and happens-before is not known to order these. ',
      uses.left_out ? `${counted(uses.left_out, 'further use is', 'further uses are')} left out.` : '')];
}

// A text in one line or two: the last word alone, where all is too long.
function lines(words, most) {
  const space = words.lastIndexOf(' ');
  return words.length <= most || space < 0 ? [words] : [words.slice(0, space), words.slice(space + 1)];
}

// Lanes beside those of the two sides, and further uses in a lane.
const FURTHER_LANES = 1;
const FURTHER_USES = 3;

// What is drawn: what happens before the threads part, the way of each side to its access, and the uses of the further pairs.
function usesOf(finding) {
  const before = [];
  const at = number => `${DATA.frames[number].place} in ${DATA.frames[number].short}`;
  if (finding.object && finding.object[1] !== null) before.push({ what: `${simple(finding.object[0], 1)} is created`, where: at(finding.object[1]) });
  finding.sides.forEach((side, index) => {
    if (side.spawned_at === undefined) return;
    const known = before.find(event => event.start === side.spawned_at);
    if (known) known.starts.push(index);
    else before.push({ what: `${side.thread.replace(/^an? thread of (the )?/, '')} is started`, where: at(side.spawned_at), start: side.spawned_at, starts: [index] });
  });
  const isField = finding.kind === 'field' || finding.kind === 'static';
  const memory = simple(isField ? finding.location : finding.location.split(' in ')[0], isField ? 2 : 1);
  const use = side => ({ what: side.called ? `call of ${side.called}` : `${side.action} of ${memory}`, where: at(side.at) });
  const lanes = finding.sides.map((side, index) => {
    const events = [];
    if (side.path.length > 1) events.push({ what: `enters ${DATA.frames[side.path[0]].short}`, where: DATA.frames[side.path[0]].place });
    for (const lock of side.locks) events.push({ what: `takes ${lock.name.replace(/[\w.]+\.(?=[\w$]+\)$)/, '')}${lock.shared ? ' for reading' : ''}`, where: lock.taken_at === undefined ? '' : at(lock.taken_at) });
    events.push({ ...use(side), is_it: true });
    const again = index && side.thread_in_full === finding.sides[0].thread_in_full;
    return { title: again ? 'another such thread' : side.thread, full: side.thread_in_full, events, further: [] };
  });
  const known = new Set(finding.sides.map(side => `${side.action} ${side.at}`));
  let left_out = 0;
  for (const side of (finding.pairs || []).flatMap(pair => pair.location === finding.location ? pair.sides : [])) {
    if (known.has(`${side.action} ${side.at}`)) continue;
    known.add(`${side.action} ${side.at}`);
    let lane = lanes.find(lane => lane.full === side.thread_in_full);
    if (!lane && lanes.length < 2 + FURTHER_LANES) lanes.push(lane = { title: side.thread, full: side.thread_in_full, events: [], further: [] });
    if (lane && lane.further.length < FURTHER_USES) lane.further.push(use(side));
    else left_out++;
  }
  return { before, lanes, left_out };
}
