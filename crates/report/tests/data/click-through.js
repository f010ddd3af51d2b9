// Clicks and types its way through a page and replaces the page by what it saw: a line for each step that failed, then
// `done`. Added to the page by the test; not part of what ships.
'use strict';
(async () => {
  const failures = [];
  const check = (what, holds) => { if (!holds) failures.push(what); };
  const pause = () => new Promise(resolve => setTimeout(resolve, 60));
  const one = selector => document.querySelector(selector);
  const all = selector => [...document.querySelectorAll(selector)];
  const press = (key, target) => (target || document.activeElement || document.body)
    .dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  const seen = element => element.getClientRects().length > 0;
  // Every control has a name, every picture too; ids are unique; headings leave out no level.
  const accessible = where => {
    const name = element => element.getAttribute('aria-label') || element.textContent.trim() || element.title;
    check(`${where}: every control has a name`, all('a, button, input, select, summary, [role=listbox]').every(name));
    check(`${where}: every picture has a name`, all('svg:not([aria-hidden])').every(picture => picture.getAttribute('role') === 'img' && name(picture)));
    check(`${where}: regions have names`, all('section, article, nav').every(region => region.getAttribute('aria-label')));
    const ids = all('[id]').map(element => element.id);
    check(`${where}: no id occurs twice`, new Set(ids).size === ids.length);
    const levels = all('h1, h2, h3, h4').filter(seen).map(heading => Number(heading.tagName[1]));
    check(`${where}: headings leave out no level`, levels.every((level, index) => level <= (levels[index - 1] || 0) + 1));
    check(`${where}: rows say which they are`, all('[role=listbox] .row').every(row =>
      row.getAttribute('role') === 'option' && Number(row.getAttribute('aria-posinset')) > 0));
  };
  // Text and what is behind it differ by 4.5 to 1, as WCAG asks.
  const luminance = colour => {
    const [red, green, blue] = colour.match(/[\d.]+/g).map(Number).map(part => part / 255)
      .map(part => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const behind = element => {
    for (let at = element; at; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at);
      if (!/, 0\)$|transparent/.test(backgroundColor)) return backgroundColor;
    }
    return 'rgb(255, 255, 255)';
  };
  const legible = where => {
    for (const element of all('a, button, select, h1, h2, h3, p, dt, dd, li, .what, .name, .badge, .rank, .place, footer, td, th').filter(seen)) {
      const [text, ground] = [getComputedStyle(element).color, behind(element)].map(luminance);
      const contrast = (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
      if (contrast < 4.5) failures.push(`${where}: contrast ${contrast.toFixed(1)} of ${element.tagName}.${element.className}`);
    }
  };
  // What paper shows: the rules for print are made to hold for the screen.
  const print = () => {
    for (const sheet of document.styleSheets) {
      for (const rule of sheet.cssRules) {
        if (!rule.media) continue;
        if (rule.media.mediaText === 'print') rule.media.mediaText = 'all';
        else if (/screen/.test(rule.media.mediaText)) rule.media.mediaText = 'not all';
      }
    }
  };
  const go = async hash => { location.hash = hash; await pause(); };
  const total = DATA.findings.length;
  const narrow = innerWidth <= 800;
  addEventListener('error', event => failures.push(`error: ${event.message}`));
  try {
    await pause();
    check('only the rows in sight are made', all('.row').length <= Math.min(total, 40));
    check('the tab counts the findings', one('#tabs a').textContent.replace(/\D/g, '') === String(total));
    check('the status line sums up', one('#footer').textContent.length > 5);
    check('no markup came from names', all('img, script[src], iframe').length === 0 && all('script').length === 3);
    if (total && narrow) {
      check('the list comes first', seen(one('.list')) && !seen(one('.detail')));
      all('.row')[0].click();
      check('a click opens the finding instead', !seen(one('.list')) && seen(one('.detail')));
      check('nothing is wider than the window', document.documentElement.scrollWidth <= innerWidth);
      one('.detail .back').click();
      await pause();
      check('and the way back', seen(one('.list')) && !seen(one('.detail')));
      all('.row')[0].click();
    }
    if (total) {
      check('the first finding is open', one('.detail h2').textContent === clean(DATA.findings[0].location));
      check('both sides are shown', all('.detail > .sides > .side').length === 2);
      check('who uses it is drawn', all('#uses rect').length >= 2 && one('#uses .clash') !== null);
      const heap = DATA.findings[0].heap;
      check('the heap is drawn', !heap || all('#heap rect').length === heap.nodes.length);
      const pairs = DATA.findings[0].pairs || [];
      check('further pairs are listed', all('.detail details.pair').length === (pairs.length <= 10 ? pairs.length : 0));
    } else {
      check('nothing is said to be there', one('.nothing').textContent === 'No races found.');
    }
    if (total > 1) {
      if (narrow) main.classList.remove('open');
      one('.rows').focus();
      press('j');
      check('j goes on', one('.row[aria-selected="true"]').id === 'row-1');
      check('the address follows', location.hash === `#/finding/${DATA.findings[1].key}`);
      check('the detail follows', one('.detail h2').textContent === clean(DATA.findings[1].location));
      press('k');
      check('k goes back', location.hash.endsWith(DATA.findings[0].key));
      if (narrow) main.classList.remove('open');
      all('.row')[1].click();
      check('a click opens', location.hash.endsWith(DATA.findings[1].key));
      if (narrow) main.classList.remove('open');
      press('End', one('.rows'));
      if (narrow) main.classList.remove('open');
      await pause();
      check('End shows the last row', one(`#row-${total - 1}`) !== null);
      press('Home', one('.rows'));

      const search = one('#search');
      press('/', document.body);
      check('/ goes to the search', document.activeElement === search);
      await pause();
      check('and the cursor stays there', document.activeElement === search);
      await go('#/statistics');
      press('/', document.body);
      await pause();
      check('also from another page', document.activeElement === search && location.hash === '#/');
      search.value = DATA.findings[total - 1].key;
      search.dispatchEvent(new Event('input'));
      check('a key finds its finding', all('.row').length === 1 && one('#footer').textContent.startsWith('1 of '));
      search.value = 'surely nothing is called so';
      search.dispatchEvent(new Event('input'));
      check('nothing fits', all('.row').length === 0 && !one('.nothing').hidden);
      press('Escape', search);
      press('Escape', one('.rows'));
      await pause();
      check('Escape clears the filters', findings.items.length === total && search.value === '');

      const level = DATA.findings[0].confidence;
      one(`#toggle-${level}`).click();
      check('a level can be hidden', findings.items.every(index => DATA.findings[index].confidence !== level));
      one(`#toggle-${level}`).click();
      const choose = one('#filter-kind');
      choose.value = DATA.findings[0].kind;
      choose.dispatchEvent(new Event('change'));
      check('a kind can be chosen', findings.items.length > 0 && findings.items.every(index => DATA.findings[index].kind === choose.value));
      choose.value = '';
      choose.dispatchEvent(new Event('change'));
      check('and left again', findings.items.length === total);
      const packages = one('#filter-package');
      if (packages.options.length > 1) {
        packages.selectedIndex = packages.options.length - 1;
        packages.dispatchEvent(new Event('change'));
        check('a package can be chosen', findings.items.length > 0 && findings.items.every(index => DATA.findings[index].package.startsWith(packages.value)));
        packages.value = '';
        packages.dispatchEvent(new Event('change'));
      }

      await go('#/fields');
      check('fields are listed', all('.row').length > 0);
      one('.row').click();
      await pause();
      check('a field shows its findings', !one('#only').hidden && findings.items.length === DATA.fields[0].findings.length);
      one('#only').click();
      check('the mark takes it back', findings.items.length === total);
    }
    await go('#/objects');
    check('objects are listed', all('.row').length > 0 === DATA.objects.length > 0);
    await go('#/statistics');
    check('the funnel has all stages', all('.sheet .stages .bar').length === 5);
    if (DATA.suppressed) {
      await go('#/suppressed');
      check('what is suppressed is listed', all('.sheet tbody tr').length === DATA.suppressed.length);
    }
    if (DATA.safe) {
      await go('#/safe');
      check('safe locations are listed', all('.sheet tbody tr').length >= Math.min(DATA.safe.length, AT_ONCE));
    }
    if (total) {
      const wanted = DATA.findings[total - 1];
      await go(`#/finding/${wanted.key}`);
      check('an address opens its finding', one('.detail h2').textContent === clean(wanted.location));
      check('and its row is in sight', narrow || one('.row[aria-selected="true"]') !== null);
    }
    accessible('a finding');
    await go('#/statistics');
    accessible('statistics');
    if (total) await go(`#/finding/${DATA.findings[0].key}`);
    for (const which of ['light', 'dark']) {
      document.documentElement.dataset.theme = which;
      legible(which);
    }
    const theme = () => document.documentElement.dataset.theme;
    press('t', document.body);
    const first = theme();
    press('t', document.body);
    check('t turns light and dark', first !== theme());
    press('?', document.body);
    check('? shows the keys', one('#keys').open);
    const editor = one('#links-editor');
    editor.value = 'vscode';
    editor.dispatchEvent(new Event('change'));
    const file = DATA.frames.find(frame => frame.path);
    check('places lead to an editor', !total || !file || address(file) === `vscode://file/${file.path}:${file.line}`);
    check('and are links', !total || !DATA.frames[DATA.findings[0].sides[0].at].path || one('.detail a.place') !== null);
    editor.value = '';
    editor.dispatchEvent(new Event('change'));
    check('or not', one('.detail a.place') === null);
    one('#keys').close();
    if (total) {
      await go(`#/finding/${DATA.findings[0].key}`);
      document.documentElement.dataset.theme = 'dark';
      print();
      check('paper shows the finding and nothing to click', seen(one('.detail')) && !seen(one('.list')) && all('button:not(.code), nav').every(it => !seen(it)));
      check('paper is light', luminance(behind(one('.detail'))) > 0.9);
      legible('print');
      one('.detail').replaceChildren();
      one('main').classList.remove('open');
      check('paper shows the list where no finding is open', seen(one('.list')));
      check('with its rows', seen(one('.row')));
      check('and nothing to filter', !seen(one('.filters')));
    }
  } catch (error) {
    failures.push(`stopped: ${error.stack}`);
  }
  document.getElementById('data').remove();
  document.body.replaceChildren(el('pre', { id: 'seen' }, [...failures, 'done'].join('\n')));
})();
