import type { ComponentChildren } from 'preact';
import { Empty, Instant } from '../../parts';
import { Data } from './facts';
import { type Asked, Pages } from './listing';
import type { AuditEntry, PageOf } from './schemas';

type Entry = Pick<AuditEntry, 'at' | 'actor' | 'keyId' | 'type' | 'text' | 'rule' | 'data'> &
  Partial<Pick<AuditEntry, 'subscriptionId' | 'paymentId'>>;

interface TrailProps {
  readonly entries: readonly Entry[];
  /** What an entry is about, where entries are about several. */
  readonly about?: (entry: Entry) => ComponentChildren;
}

interface PagesProps extends Pick<TrailProps, 'about'> {
  readonly page: Asked<PageOf<Entry>>;
}

/** Characters of a key's id: enough to tell some dozens of keys apart. */
const SHOWN_OF_ID = 8;

/** A trail by its pages, each in the address. */
export function TrailPages({ page, about }: PagesProps) {
  return (
    <Pages what="the trail" page={page}>
      {(items) => <Trail entries={items} about={about} />}
    </Pages>
  );
}

/** Decisions, newest first: when, by whom, in words, and the rule with the sentence that it rests on. */
function Trail({ entries, about }: TrailProps) {
  if (entries.length === 0) return <Empty>The trail holds nothing of this.</Empty>;
  return (
    <ol class="trail">
      {entries.map((entry, index) => (
        <li key={`${entry.at} ${entry.type} ${index}`}>
          <p class="trail-head">
            <Instant at={entry.at} /> <strong>{entry.actor}</strong> <KeyId of={entry.keyId} />{' '}
            <code>{entry.type}</code> {about?.(entry)}
          </p>
          <p>{entry.text}</p>
          {entry.rule === null ? null : <Rule of={entry.rule} />}
          <Data of={entry.data} />
        </li>
      ))}
    </ol>
  );
}

/** By which keys of one name are told apart: it leads to all that was done with this one. */
function KeyId({ of: keyId }: { readonly of: Entry['keyId'] }) {
  if (keyId === null) return null;
  return (
    <a class="muted" href={`/audit?keyId=${keyId}`} title={`Key ${keyId}: all that was done with it`}>
      key {keyId.slice(0, SHOWN_OF_ID)}
    </a>
  );
}

function Rule({ of: { decision, sentence, source } }: { readonly of: NonNullable<Entry['rule']> }) {
  return (
    <p class="muted">
      Rule {decision}, {source === 'reference' ? 'the service’s own words' : 'how it is read here'}: <q>{sentence}</q>
    </p>
  );
}
