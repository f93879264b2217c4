import { api, ask } from '../../client';
import { ErrorNote, useDeed } from '../../parts';
import type { QueryOf } from '../common/schemas';

/** Saves the whole list, not only the page. By a request of ours, as no link can ask for CSV. */
export function CsvButton({ of }: { readonly of: QueryOf<'listTransactions'> }) {
  const { isRunning, error, run } = useDeed(() => download(of));
  return (
    <p>
      <button type="button" disabled={isRunning} onClick={() => void run()}>
        {isRunning ? 'Reading all of it …' : 'Save all of it as CSV'}
      </button>
      {error === null ? null : <ErrorNote error={error} />}
    </p>
  );
}

async function download(query: QueryOf<'listTransactions'>): Promise<void> {
  const answer = await ask(
    api.GET('/v1/transactions', { params: { query }, headers: { accept: 'text/csv' }, parseAs: 'blob' }),
  );
  const url = URL.createObjectURL(answer);
  const link = Object.assign(document.createElement('a'), { href: url, download: 'transactions.csv' });
  link.click();
  URL.revokeObjectURL(url);
}
