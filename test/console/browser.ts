import packed from '@sparticuz/chromium';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { waitUntil } from '../support/wait-until';

/** Real ms that a page, or the browser's start, may take on a busy machine. */
const PATIENCE = 60_000;
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * A Chromium without a window, from a package: nothing has to be installed beside it. Not with that package's arguments,
 * which are for another use: they put all pages into one process and switch off what keeps them apart.
 */
export async function openBrowser(): Promise<Browser> {
  const args = ['--no-sandbox', '--disable-gpu', '--headless=shell'];
  return chromium.launch({ executablePath: await packed.executablePath(), args, headless: true, timeout: PATIENCE });
}

export interface PageOptions {
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
}

/** A browser's window of its own: with no cookie of another one. What goes wrong in it is kept for the test. */
export class Window {
  /** What a script of the page threw, a dialog that it opened, a request to another host. */
  readonly faults: string[] = [];

  private constructor(
    readonly page: Page,
    readonly url: string,
  ) {}

  static async open(browser: Browser, url: string, options: PageOptions = {}): Promise<Window> {
    const { width = 1280, colorScheme = 'light' } = options;
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, locale: 'en-GB' });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    const window = new Window(page, url);
    page.on('pageerror', (error) => window.faults.push(error.message));
    page.on('dialog', (dialog) => {
      window.faults.push(`a dialog says ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(url)) window.faults.push(`asks ${request.url()}`);
    });
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) window.faults.push(message.text());
    });
    return window;
  }

  async go(path: string): Promise<void> {
    await this.page.goto(`${this.url}${path}`);
  }

  async signIn(key: string, path = '/'): Promise<void> {
    await this.go(path);
    await this.page.getByLabel('Key').fill(key);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
    await this.page.getByRole('banner').waitFor();
  }

  /** Until nothing is being read any more. */
  async settled(): Promise<void> {
    const reading = this.page.getByText(/^Reading .* …$/);
    await waitUntil('the page has read what it shows', async () => (await reading.count()) === 0);
  }

  /** What axe finds against WCAG 2.2 AA, in few words. */
  async violations(): Promise<string[]> {
    await this.page.evaluate(axe.source);
    const { violations } = await this.page.evaluate<axe.AxeResults>(`axe.run({ runOnly: ${JSON.stringify(WCAG)} })`);
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
  }

  /** By how much the page is wider than the window. */
  async overflow(): Promise<number> {
    return this.page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }
}

/** Closes it, once nothing went wrong in it. */
export async function leave(window: Window): Promise<void> {
  expect(window.faults).toEqual([]);
  await window.close();
}
