import type { Browser } from 'playwright-core';
import { Window } from '../../test/console/browser';

/** Px per frame; 9,000 per second, as when a user flicks the wheel. */
const STEP = 150;
/** Ms from the load of the page after which a measurement in it is given up. */
const TIMEOUT = 150_000;
const PLAIN_ROW = 'sub_c4ca4238a0b9_1 customer-1 active good €19.99 monthly 31 Jan 2027, 10:00 2 lot 1 shop south';

/** Code that calls `work` in the page in each frame, with its time, until it returns something other than undefined. */
const eachFrame = (work: string) => `new Promise((resolve, reject) => {
  const work = ${work};
  const look = (at) => {
    const found = work(at);
    if (found !== undefined) return resolve(found);
    if (at > ${TIMEOUT}) return reject(new Error('not at its end after ${TIMEOUT} ms'));
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})`;

/** Ms from the navigation until Today shows all its figures and reacts to a key. */
const UNTIL_INTERACTIVE = eachFrame(`() => {
  if (document.querySelector('dialog[open]') !== null) return performance.now();
  const isShown = document.querySelector('.card-figure') !== null;
  if (!isShown || document.querySelector('main .skeleton[role=status]') !== null) return;
  dispatchEvent(new KeyboardEvent('keydown', { key: '?' }));
}`);

/** Scrolls by one step per frame until `isOver`. Returns the duration of each frame, ms. */
const scrolling = (isOver: string) => `(() => {
  let before;
  const frames = [];
  return ${eachFrame(`(at) => {
    if (before !== undefined) frames.push(at - before);
    before = at;
    if (${isOver}) return frames;
    scrollBy(0, ${STEP});
  }`)};
})()`;

/** A user who is signed in, in one browser. */
export interface Reader {
  /** Ms until the first view is interactive, with an empty browser cache. */
  openToday(): Promise<number>;
  /** Scrolls this many rows down the list of subscriptions. @returns the duration of each frame, ms */
  scrollSubscriptions(rows: number): Promise<readonly number[]>;
  /** Scrolls a page that contains only this many lines of text. @returns the duration of each frame, ms */
  scrollPlainList(rows: number): Promise<readonly number[]>;
}

export async function signIn(browser: Browser, url: string, key: string): Promise<Reader> {
  const window = await Window.open(browser, url);
  await window.signIn(key);
  const { page } = window;
  const devtools = await page.context().newCDPSession(page);
  return {
    async openToday() {
      await page.goto('about:blank');
      await devtools.send('Network.clearBrowserCache');
      await window.go('/');
      return page.evaluate<number>(UNTIL_INTERACTIVE);
    },
    async scrollSubscriptions(rows) {
      await window.go('/subscriptions');
      await page.getByRole('table', { name: 'subscriptions' }).waitFor();
      // The sum of the list comes last. Scrolling is measured, not loading.
      await page.locator('.list-sum .muted:not(:empty)').waitFor();
      const shown = `[...document.querySelectorAll('tr[aria-rowindex]')].at(-1)?.ariaRowIndex`;
      return page.evaluate<readonly number[]>(scrolling(`Number(${shown}) > ${rows}`));
    },
    async scrollPlainList(rows) {
      await page.goto('about:blank');
      await page.setContent(`<!doctype html><title>plain</title><ul>${`<li>${PLAIN_ROW}</li>`.repeat(rows)}</ul>`);
      const end = 'document.documentElement.scrollHeight';
      return page.evaluate<readonly number[]>(scrolling(`scrollY + innerHeight >= ${end} - 1`));
    },
  };
}
