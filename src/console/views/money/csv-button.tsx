import { useState } from 'preact/hooks';
import { api, ask } from '../../client';
import { ErrorNote } from '../../parts';
import type { QueryOf } from '../common/schemas';

/** Saves the whole list, not only the page. By a request of ours, as no link can ask for CSV. */
export function CsvButton({ of }: { readonly of: QueryOf<'listTransactions'> }) {
  const [stage, setStage] = useState<'idle' | 'reading' | { readonly fault: unknown }>('idle');
  const press = () => {
    setStage('reading');
    download(of).then(
      () => setStage('idle'),
      (fault: unknown) => setStage({ fault }),
    );
  };
  return (
    <p>
      <button type="button" disabled={stage === 'reading'} onClick={press}>
        {stage === 'reading' ? 'Reading all of it …' : 'Save all of it as CSV'}
      </button>
      {typeof stage === 'object' ? <ErrorNote error={stage.fault} /> : null}
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
