import { words } from '../../format';
import { Instant } from '../../parts';
import { Facts, Metadata } from '../common/facts';
import type { Selection } from '../common/selection';

/** The whole filter, also what the address alone says: nothing is chosen by what cannot be seen. */
export function InForce({ of: selection }: { readonly of: Selection }) {
  const { q, status, standing, repetition, metadata } = selection;
  return (
    <section aria-label="The filter in force">
      <Facts
        of={[
          ['Search', q],
          ['Status', status === undefined ? null : words(status)],
          ['Standing', standing === undefined ? null : words(standing)],
          ['Repetition', repetition?.toLowerCase()],
          ...(['dueFrom', 'dueTo', 'dueBefore', 'createdFrom', 'createdTo'] as const).map((name) => {
            const at = selection[name];
            return [SPANS[name], at === undefined ? null : <Limit at={at} />] as const;
          }),
          ['Metadata', metadata === undefined ? null : <Metadata of={metadata} />],
        ]}
      />
    </section>
  );
}

/** An address may name what is no time: the dry run is refused then, by name. */
function Limit({ at }: { readonly at: string }) {
  return Number.isNaN(Date.parse(at)) ? <>{at}</> : <Instant at={at} />;
}

const SPANS = {
  dueFrom: 'Due from',
  dueTo: 'Due before',
  dueBefore: 'Due before',
  createdFrom: 'Created from',
  createdTo: 'Created before',
} as const;
