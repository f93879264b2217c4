import { Download } from 'lucide-preact';
import { get } from '../../client';
import { ErrorNote, useDeed } from '../../parts';
import { csvOf, saveFile } from '../common/csv';
import type { QueryOf, Subscription } from '../common/schemas';
import { stateOf } from '../common/state';

type Query = QueryOf<'listSubscriptions'>;

/** Saves the list as it is chosen, all of it. */
export function CsvButton({ of }: { readonly of: Query }) {
  const { isRunning, error, run } = useDeed(async () => {
    saveFile('subscriptions.csv', csvOf(await readAll(of), COLUMNS));
  });
  return (
    <>
      <button type="button" disabled={isRunning} onClick={() => void run()}>
        <Download aria-hidden="true" size={16} /> {isRunning ? 'Preparing the file …' : 'Download as CSV'}
      </button>
      {error === null ? null : <ErrorNote error={error} />}
    </>
  );
}

/** Rows of a page, the most that the API answers at once. */
const PAGE = 200;
/** Rows of a file: beyond these the API's own export is for it. */
const MOST = 20_000;

async function readAll(query: Query): Promise<readonly Subscription[]> {
  const rows: Subscription[] = [];
  let cursor: string | undefined;
  do {
    const page = await get('/v1/subscriptions', { query: { ...query, limit: PAGE, cursor } });
    rows.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && rows.length < MOST);
  if (cursor !== undefined)
    throw new Error(`Expected at most ${MOST} subscriptions; the list has more. Choose a filter.`);
  return rows;
}

const COLUMNS = [
  ['subscriptionId', ({ subscriptionId }: Subscription) => subscriptionId],
  ['reference', ({ payer }: Subscription) => payer.reference ?? ''],
  ['email', ({ payer }: Subscription) => payer.email ?? ''],
  ['state', (subscription: Subscription) => stateOf(subscription)],
  ['amountMinor', ({ amount }: Subscription) => amount.value],
  ['currency', ({ amount }: Subscription) => amount.currency],
  ['repetition', ({ repetition }: Subscription) => repetition],
  ['nextDueAt', ({ nextDueAt }: Subscription) => nextDueAt ?? ''],
  ['cyclesCollected', ({ cyclesCollected }: Subscription) => cyclesCollected],
] as const;
