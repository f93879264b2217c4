import { words } from '../../format';
import { Instant } from '../../parts';
import { Facts, Metadata } from '../common/facts';
import type { Selection } from '../common/selection';

/** The whole filter, including parts that only the address can set, so that nothing is selected invisibly. */
export function CurrentFilter({ of: selection }: { readonly of: Selection }) {
  const { q, status, standing, repetition, metadata } = selection;
  return (
    <section aria-label="Current filter">
      <Facts
        of={[
          ['Search', q],
          ['Status', status === undefined ? null : words(status)],
          ['Standing', standing === undefined ? null : words(standing)],
          ['Repetition', repetition?.toLowerCase()],
          ...(['dueFrom', 'dueTo', 'dueBefore', 'createdFrom', 'createdTo'] as const).map((name) => {
            const at = selection[name];
            return [PERIODS[name], at === undefined ? null : <Limit at={at} />] as const;
          }),
          ['Metadata', metadata === undefined ? null : <Metadata of={metadata} />],
        ]}
      />
    </section>
  );
}

/** An address may contain an invalid time: the API then refuses the dry run. */
function Limit({ at }: { readonly at: string }) {
  return Number.isNaN(Date.parse(at)) ? <>{at}</> : <Instant at={at} />;
}

const PERIODS = {
  dueFrom: 'Due from',
  dueTo: 'Due before',
  dueBefore: 'Due before',
  createdFrom: 'Created from',
  createdTo: 'Created before',
} as const;
