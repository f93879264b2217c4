import { scriptBytes } from '../../test/console/assets';
import { openBrowser } from '../../test/console/browser';
import { percentile } from '../../test/storm/measure';
import { atMost, interleave, type Outcome, outcomeOf, type Row, type RowOrder } from '../row';
import { startApi } from '../worlds/api';
import { merchantOf } from '../worlds/merchant';
import { type Reader, signIn } from '../worlds/pages';

/** The limits that the first view and the scripts are measured against, in ms and in bytes. */
const MAX_MS = 1_000;
const MAX_BYTES = 120_000;
const MAX_ROWS = 10_000;

interface Scrolled {
  /** The 99th percentile of the frames' durations, ms. */
  readonly p99: number;
  readonly frames: number;
  /** Frames per second, over the whole scroll. */
  readonly rate: number;
}

function scrolled(frames: readonly number[]): Scrolled {
  const took = frames.reduce((sum, each) => sum + each, 0);
  return { p99: percentile(frames, 99), frames: frames.length, rate: (1_000 * frames.length) / took };
}

async function measure(order: RowOrder, reader: Reader): Promise<readonly Outcome[]> {
  const opened: number[] = [];
  for (let pair = 0; pair < order.pairs; pair += 1) opened.push(await reader.openToday());
  order.say(`Today, ms until it answers a key: ${opened.map(Math.round).join(' ')}`);
  const rows = Math.min(MAX_ROWS, order.size);
  const frames = await interleave(
    order,
    async () => scrolled(await reader.scrollSubscriptions(rows)),
    async () => scrolled(await reader.scrollPlainList(rows)),
  );
  return [
    {
      target: atMost('first view interactive, of 1 s', 1),
      unit: 'ms',
      subject: opened,
      reference: opened.map(() => MAX_MS),
    },
    {
      target: atMost('scripts gzipped, of 120 kB', 1),
      unit: 'bytes',
      subject: [scriptBytes()],
      reference: [MAX_BYTES],
    },
    outcomeOf(frames, atMost(`p99 frame of scrolling ${rows} rows`, 1.5), 'ms', ({ p99 }) => p99),
  ];
}

export const page: Row = {
  about: 'The console on a large ledger: its first view, its scripts, and scrolling compared with a plain list of text',
  counts: 'subscriptions in the ledger',
  size: 1_000_000,
  pairs: 3,
  async run(order) {
    const world = await merchantOf(order.size, order.say);
    const { rows } = await world.ledger.query<{ events: number }>('select count(*) as events from events');
    const { url, key, program } = await startApi(world);
    const browser = await openBrowser();
    try {
      const outcomes = await measure(order, await signIn(browser, url, key));
      return { outcomes, settings: { 'entries of the audit log': rows[0]?.events ?? 0 } };
    } finally {
      await browser.close();
      await program.stop();
    }
  },
};
