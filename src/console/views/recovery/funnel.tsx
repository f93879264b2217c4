import { money } from '../../format';
import { Shown, useAnswer } from '../common/answers';
import type { Recovery } from '../common/schemas';
import { ofHowMany } from './rate';

interface Step {
  readonly name: string;
  readonly figure: Recovery['items'][number]['lost'];
}

/** How many cycles were collected at the first attempt, at each retry or by a link, or are open or lost: as bars and as text. */
export function Funnel({ from, to }: { readonly from: string; readonly to: string }) {
  const report = useAnswer(['reports'], '/v1/reports/recovery', { query: { from, to, by: 'attempt' } });
  return (
    <section aria-labelledby="funnel-heading">
      <h2 id="funnel-heading">Attempt that collected the cycle</h2>
      <Shown what="the attempts that collected cycles" of={report}>
        {(read) => <Bars steps={stepsOf(read)} />}
      </Shown>
    </section>
  );
}

const LOST = 'Lost';
const OPEN = 'Open';

/** @param key number of the last attempt; null if there is none. */
function recoveredAt(key: string | null): string {
  if (key === null) return 'Recovered without an attempt';
  return key === '0' ? 'First attempt, although it was first reported as declined' : `Retry ${key}`;
}

const CLASSES: Readonly<Record<string, string>> = { [LOST]: 'is-lost', [OPEN]: 'is-open' };

function stepsOf({ items, total }: Recovery): Step[] {
  const recovered = items
    .filter((item) => item.recovered.count > 0)
    .map((item) => ({ name: recoveredAt(item.key), figure: item.recovered }));
  return [
    { name: 'First attempt', figure: total.firstAttempt },
    ...recovered,
    ...(total.recoveredByLink.count === 0 ? [] : [{ name: 'Paid by link', figure: total.recoveredByLink }]),
    { name: OPEN, figure: total.open },
    { name: LOST, figure: total.lost },
  ];
}

function Bars({ steps }: { readonly steps: readonly Step[] }) {
  const all = steps.reduce((sum, { figure }) => sum + figure.count, 0);
  return (
    <dl class="funnel">
      {steps.map(({ name, figure }) => (
        <div key={name} class={CLASSES[name]}>
          <dt>{name}</dt>
          <dd>
            <meter min={0} max={Math.max(1, all)} value={figure.count} aria-label={name} />
            <span class="number">
              {ofHowMany(figure.count, all)} <span class="muted">{money(figure.amount)}</span>
            </span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
