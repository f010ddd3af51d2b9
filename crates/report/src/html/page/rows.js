// A list that makes only the rows in sight, so that its length does not matter. All rows have the same height.

class Rows {
  // make(item, index) gives a row's element; chosen(item, index) is called when one is selected.
  constructor({ height, make, chosen, label }) {
    this.height = height;
    this.make = make;
    this.chosen = chosen;
    this.items = [];
    this.selected = -1;
    this.shown = new Map();
    this.space = el('div', { class: 'space', role: 'presentation' });
    this.element = el('div', {
      class: 'rows', role: 'listbox', tabindex: 0, 'aria-label': label,
      onscroll: () => this.draw(),
      onkeydown: event => this.key(event),
    }, this.space);
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  show(items, selected) {
    this.items = items;
    this.selected = selected;
    for (const row of this.shown.values()) row.remove();
    this.shown.clear();
    this.space.style.height = `${items.length * this.height}px`;
    this.element.scrollTop = 0;
    if (selected >= 0) this.reveal(selected);
    this.draw();
  }

  select(index, tell) {
    if (index < 0 || index >= this.items.length) return;
    const before = this.shown.get(this.selected);
    if (before) before.setAttribute('aria-selected', 'false');
    this.selected = index;
    this.reveal(index);
    this.draw();
    this.mark();
    if (tell) this.chosen(this.items[index], index);
  }

  move(step) {
    const last = this.items.length - 1;
    this.select(Math.max(0, Math.min(last, this.selected < 0 ? 0 : this.selected + step)), true);
  }

  reveal(index) {
    const top = index * this.height;
    const { scrollTop, clientHeight } = this.element;
    if (top < scrollTop) this.element.scrollTop = top;
    else if (top + this.height > scrollTop + clientHeight) this.element.scrollTop = top + this.height - clientHeight;
  }

  mark() {
    const row = this.shown.get(this.selected);
    if (!row) return;
    row.setAttribute('aria-selected', 'true');
    this.element.setAttribute('aria-activedescendant', row.id);
  }

  draw() {
    const { scrollTop, clientHeight } = this.element;
    const beyond = 6;
    const first = Math.max(0, Math.floor(scrollTop / this.height) - beyond);
    const last = Math.min(this.items.length - 1, Math.ceil((scrollTop + clientHeight) / this.height) + beyond);
    for (const [index, row] of this.shown) {
      if (index < first || index > last) {
        row.remove();
        this.shown.delete(index);
      }
    }
    for (let index = first; index <= last; index++) {
      if (this.shown.has(index)) continue;
      const row = this.make(this.items[index], index);
      row.id = `row-${index}`;
      row.classList.add('row');
      row.setAttribute('role', 'option');
      row.setAttribute('aria-selected', String(index === this.selected));
      row.setAttribute('aria-posinset', index + 1);
      row.setAttribute('aria-setsize', this.items.length);
      row.style.top = `${index * this.height}px`;
      row.style.height = `${this.height}px`;
      row.addEventListener('click', () => this.select(index, true));
      this.shown.set(index, row);
      this.space.append(row);
    }
    this.mark();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.element.clientHeight / this.height) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (!(event.key in steps)) return;
    event.preventDefault();
    this.move(steps[event.key]);
  }
}
