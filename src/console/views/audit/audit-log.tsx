import type { ComponentChildren } from 'preact';
import { withAmounts } from '../../format';
import { Empty, Instant } from '../../parts';
import { Data } from '../common/facts';
import { type QueryState } from '../common/answers';
import { Pages } from '../common/listing';
import type { AuditEntry, PageOf } from '../common/schemas';
import { withKeys } from '../common/pages';

type Entry = Pick<AuditEntry, 'at' | 'actor' | 'keyId' | 'type' | 'text' | 'rule' | 'data'> &
  Partial<Pick<AuditEntry, 'subscriptionId' | 'paymentId'>>;

interface AuditProps {
  readonly page: QueryState<PageOf<Entry>>;
  /** Shows what an entry is about, if the page mixes subjects. */
  readonly about?: (entry: Entry) => ComponentChildren;
}

/** Pages of audit entries, newest first: when, by whom, what, and the rule with the sentence it is based on. */
export function AuditPages({ page, about }: AuditProps) {
  return (
    <Pages what="the audit log" page={page}>
      {(entries) =>
        entries.length === 0 ? (
          <Empty>No such entry in the audit log.</Empty>
        ) : (
          <ol class="entries">
            {withKeys(entries).map(([key, entry]) => (
              <li key={key}>
                <p class="entry-head">
                  <Instant at={entry.at} /> <strong>{entry.actor}</strong> <KeyId of={entry.keyId} />{' '}
                  <code>{entry.type}</code> {about?.(entry)}
                </p>
                <p>{withAmounts(entry.text)}</p>
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

/** The audit log of one record, at the end of its page. */
export function AuditSection({ page }: Pick<AuditProps, 'page'>) {
  return (
    <section aria-labelledby="audit-heading">
      <h2 id="audit-heading">Audit log</h2>
      <AuditPages page={page} />
    </section>
  );
}

/** Characters of a key's id that are shown: enough to distinguish some dozens of keys. */
const SHOWN_OF_ID = 8;

/** Distinguishes keys of the same name. It links to everything done with this key. */
function KeyId({ of: keyId }: { readonly of: Entry['keyId'] }) {
  if (keyId === null) return null;
  return (
    <a class="muted" href={`/audit?keyId=${keyId}`} title={`Key ${keyId}: show everything done with it`}>
      key {keyId.slice(0, SHOWN_OF_ID)}
    </a>
  );
}

function Rule({ of: { decision, sentence, source } }: { readonly of: NonNullable<Entry['rule']> }) {
  return (
    <p class="muted">
      <a href={`/docs/explain/rules#rule-${decision}`}>Rule {decision}</a>,{' '}
      {source === 'reference' ? 'from the payment service’s documentation' : 'dueday’s interpretation'}:{' '}
      <q>{sentence}</q>
    </p>
  );
}
