import type { ComponentChildren } from 'preact';
import { Empty, Instant } from '../../parts';
import { Data } from './facts';
import { type Asked } from './answers';
import { Pages } from './listing';
import type { AuditEntry, PageOf } from './schemas';
import { withKeys } from './pages';

type Entry = Pick<AuditEntry, 'at' | 'actor' | 'keyId' | 'type' | 'text' | 'rule' | 'data'> &
  Partial<Pick<AuditEntry, 'subscriptionId' | 'paymentId'>>;

interface TrailProps {
  readonly page: Asked<PageOf<Entry>>;
  /** What an entry is about, where entries are about several. */
  readonly about?: (entry: Entry) => ComponentChildren;
}

/** Decisions by pages, newest first: when, by whom, in words, and the rule with the sentence that it rests on. */
export function TrailPages({ page, about }: TrailProps) {
  return (
    <Pages what="the audit log" page={page}>
      {(entries) =>
        entries.length === 0 ? (
          <Empty>The audit log has no such entry.</Empty>
        ) : (
          <ol class="trail">
            {withKeys(entries).map(([key, entry]) => (
              <li key={key}>
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
        )
      }
    </Pages>
  );
}

/** Below the page of one thing: its audit log. */
export function TrailSection({ page }: Pick<TrailProps, 'page'>) {
  return (
    <section aria-labelledby="trail-heading">
      <h2 id="trail-heading">Audit log</h2>
      <TrailPages page={page} />
    </section>
  );
}

/** Characters of a key's id: enough to tell some dozens of keys apart. */
const SHOWN_OF_ID = 8;

/** By which keys of one name are distinguished: it leads to all that was done with this one. */
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
