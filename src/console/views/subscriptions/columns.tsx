import { count, words } from '../../format';
import { type ChosenColumn, Instant, Money } from '../../parts';
import { Metadata, Named, Status } from '../common/facts';
import type { Subscription } from '../common/schemas';
import { stateOf } from '../common/subscription';
import type { CsvColumn } from './csv';
import { SelectBox } from './selection-bar';

export interface ListColumn extends ChosenColumn<Subscription> {
  /** The columns of the CSV file that contain its values. */
  readonly csv: readonly CsvColumn[];
}

/** Every column of the list of subscriptions. Dates, statuses and headings fit into their shares from 1,100 pixels on. */
export const COLUMNS: readonly ListColumn[] = [
  {
    head: 'Select',
    cell: (subscription) => <SelectBox of={subscription} />,
    share: 0.85,
    isControl: true,
    isFixed: true,
    csv: [],
  },
  {
    head: 'Payer',
    cell: ({ payer, subscriptionId }) => <Named payer={payer} id={subscriptionId} />,
    share: 1.7,
    isFixed: true,
    csv: [
      ['subscriptionId', ({ subscriptionId }) => subscriptionId],
      ['name', ({ payer }) => payer.name ?? ''],
    ],
  },
  {
    head: 'Amount',
    cell: ({ amount }) => <Money of={amount} />,
    align: 'end',
    share: 1.1,
    csv: [
      ['amountMinor', ({ amount }) => amount.value],
      ['currency', ({ amount }) => amount.currency],
    ],
  },
  {
    head: 'Status',
    cell: (subscription) => <Status of={subscription} />,
    share: 1.7,
    csv: [['state', (subscription) => stateOf(subscription)]],
  },
  {
    head: 'Repetition',
    cell: ({ repetition }) => words(repetition).toLowerCase(),
    share: 1.2,
    csv: [['repetition', ({ repetition }) => repetition]],
  },
  {
    head: 'Next due',
    // Paused without an end: nothing is collected before it is resumed.
    cell: ({ nextDueAt, status, pausedUntil }) => (
      <At of={status === 'paused' && pausedUntil === undefined ? null : nextDueAt} />
    ),
    share: 2.15,
    csv: [['nextDueAt', ({ nextDueAt }) => nextDueAt ?? '']],
  },
  {
    head: 'Collected',
    cell: ({ cyclesCollected }) => count(cyclesCollected),
    align: 'end',
    share: 1.15,
    csv: [['cyclesCollected', ({ cyclesCollected }) => cyclesCollected]],
  },
  {
    head: 'Metadata',
    cell: ({ metadata }) => <Metadata of={metadata} />,
    share: 0.9,
    csv: [['metadata', ({ metadata }) => JSON.stringify(metadata)]],
  },
  {
    head: 'Reference',
    cell: ({ payer }) => payer.reference,
    isExtra: true,
    csv: [['reference', ({ payer }) => payer.reference ?? '']],
  },
  {
    head: 'E-mail',
    cell: ({ payer }) => payer.email,
    share: 1.8,
    isExtra: true,
    csv: [['email', ({ payer }) => payer.email ?? '']],
  },
  {
    head: 'Consent amount',
    cell: ({ consentAmount }) => <Money of={consentAmount} />,
    align: 'end',
    isExtra: true,
    csv: [['consentAmountMinor', ({ consentAmount }) => consentAmount.value]],
  },
  {
    head: 'Created',
    cell: ({ createdAt }) => <At of={createdAt} />,
    share: 1.8,
    isExtra: true,
    csv: [['createdAt', ({ createdAt }) => createdAt]],
  },
  {
    head: 'Ends',
    cell: ({ endAt }) => <At of={endAt ?? null} />,
    share: 1.8,
    isExtra: true,
    csv: [['endAt', ({ endAt }) => endAt ?? '']],
  },
];

function At({ of: at }: { readonly of: string | null }) {
  return at === null ? <>–</> : <Instant at={at} />;
}
