import { TriangleAlert } from 'lucide-preact';
import { may } from '../../session';
import { addressOf, pathTo } from '../common/address';
import { useAnswer } from '../common/answers';
import type { Attention } from '../common/schemas';
import { summaryOf } from './about';
import { bySeverity } from './groups';
import { severityOf } from './severity';

const MAX_ITEMS = 200;

type Subject = { readonly subscriptionId: string } | { readonly paymentId: string };

/** The open items of a subscription or a one-time payment, the most severe first; none until they are loaded. */
export function useOpenItems(of: Subject): readonly Attention[] {
  const query = { ...of, limit: MAX_ITEMS };
  const { data } = useAnswer(['attention'], '/v1/attention', { query }, { enabled: may('listAttention') });
  return bySeverity(data?.items ?? []);
}

/** The open items of the page's subject, each with a link; nothing if there are none. */
export function OpenItems({ of }: { readonly of: Subject }) {
  const items = useOpenItems(of);
  const [first] = items;
  if (first === undefined) return null;
  const isCritical = severityOf(first) === 'critical';
  return (
    <div class={`headline headline-${isCritical ? 'bad' : 'warning'}`}>
      <TriangleAlert aria-hidden="true" size={20} />
      <div>
        {items.map((item) => (
          <p key={item.item} class={item === first ? 'headline-first' : undefined}>
            <a href={addressOf(pathTo('attention', item.item), { ...of })}>{summaryOf(item)}</a>
          </p>
        ))}
        {isCritical ? <p>The payer may have been debited more or less than this page says. Check this first.</p> : null}
      </div>
    </div>
  );
}
