import { instant, withAmounts, words } from '../../format';
import { Empty } from '../../parts';
import type { Attention } from '../common/schemas';
import { serviceState } from './about';

type Row = Attention['evidence'][number];

const NAMES: Readonly<Record<Row['what'], string>> = {
  state: 'State',
  amount: 'Amount',
  at: 'Time',
  id: 'Id',
  detail: 'Detail',
};

/** The ledger beside the payment service; differences are marked. */
export function EvidenceTable({
  item: { kind, evidence: of },
}: {
  readonly item: Pick<Attention, 'kind' | 'evidence'>;
}) {
  if (of.length === 0)
    return (
      <Empty>
        Neither the ledger nor the payment service has a record to compare. Search the service’s own records for the
        payer, the amount and the due date.
      </Empty>
    );
  return (
    <table class="sides">
      <thead>
        <tr>
          <td />
          <th scope="col">Our ledger</th>
          <th scope="col">Payment service</th>
        </tr>
      </thead>
      <tbody>
        {of.map((row) => (
          <tr key={row.what} class={row.differs ? 'differs' : undefined}>
            <th scope="row">
              {NAMES[row.what]} {row.differs ? <span class="badge badge-bad">differs</span> : null}
            </th>
            <td>{textOf(row, row.ledger)}</td>
            <td>{textOf(row, row.service, (state) => serviceState(kind, state))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function textOf({ what }: Row, text: string | null, stateText = words) {
  if (text === null) return <span class="muted">no record</span>;
  if (what === 'at') return <span class="number">{instant(text)}</span>;
  if (what === 'id') return <code>{text}</code>;
  return what === 'state' ? stateText(text) : withAmounts(text);
}
