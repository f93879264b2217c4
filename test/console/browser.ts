import packed from '@sparticuz/chromium';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { waitUntil } from '../support/wait-until';

/** Real ms that a page, or starting the browser, may take on a busy machine. */
const TIMEOUT = 60_000;
/** Only violations: describing every node that passed costs more than the check. */
const AXE = { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'], reporter: 'no-passes' };

/**
 * A headless Chromium from an npm package, so that nothing else has to be installed. It does not use the package's own
 * arguments: these put all pages into one process and disable their isolation.
 */
export async function openBrowser(): Promise<Browser> {
  const args = ['--no-sandbox', '--disable-gpu', '--headless=shell'];
  return chromium.launch({ executablePath: await packed.executablePath(), args, headless: true, timeout: TIMEOUT });
}

export interface PageOptions {
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
}

/** A browser window with its own cookies. It collects everything that goes wrong in it. */
export class Window {
  /** Script errors, browser dialogs, and requests to other hosts. */
  readonly faults: string[] = [];

  private constructor(
    readonly page: Page,
    readonly url: string,
  ) {}

  static async open(browser: Browser, url: string, options: PageOptions = {}): Promise<Window> {
    const { width = 1280, colorScheme = 'light' } = options;
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, locale: 'en-GB' });
    const page = await context.newPage();
    page.setDefaultTimeout(TIMEOUT);
    const window = new Window(page, url);
    page.on('pageerror', (error) => window.faults.push(error.message));
    page.on('dialog', (dialog) => {
      window.faults.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(url)) window.faults.push(`request to ${request.url()}`);
    });
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) window.faults.push(message.text());
    });
    return window;
  }

  /** A window on the page of this path, once its data is shown. Does not check for 404 responses, such as to the stream. */
  static async openPage(browser: Browser, url: string, path: string, options: PageOptions = {}): Promise<Window> {
    const window = await Window.open(browser, url, options);
    await window.go(path);
    await window.page.getByRole('heading', { level: 1 }).waitFor();
    await window.settled();
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

  /** Waits until nothing is loading. */
  async settled(): Promise<void> {
    const loading = this.page.getByText(/^Loading .* …$/);
    await waitUntil('the page has loaded its data', async () => (await loading.count()) === 0);
  }

  /** Violations of WCAG 2.2 AA that axe finds, in short. */
  async violations(): Promise<string[]> {
    if (!(await this.page.evaluate<boolean>(`'axe' in window`))) await this.page.evaluate(axe.source);
    const { violations } = await this.page.evaluate<axe.AxeResults>(`axe.run(${JSON.stringify(AXE)})`);
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
  }

  /** How many pixels wider the page is than the window. */
  async overflow(): Promise<number> {
    return this.page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }
}

/** Closes the window, after checking that nothing went wrong in it. */
export async function leave(window: Window): Promise<void> {
  expect(window.faults).toEqual([]);
  await window.close();
}
