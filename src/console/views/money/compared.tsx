import { useLocation } from 'preact-iso';
import { post } from '../../client';
import { counted } from '../../format';
import { Instant } from '../../parts';
import { may } from '../../session';
import { Action } from '../common/action';
import { pathTo } from '../common/address';
import { Shown, useAnswer } from '../common/answers';
import type { ReconciliationReport } from '../common/schemas';

interface ComparedProps {
  /** Instants; `to` is exclusive. */
  readonly from: string;
  readonly to: string;
}

/** How far the period was compared with the payment service, and what differs. */
export function Compared({ from, to }: ComparedProps) {
  const query = { from, to, limit: 1 };
  const report = useAnswer(
    ['reports'],
    '/v1/reports/reconciliation',
    { query },
    { enabled: may('reportReconciliation') },
  );
  if (!may('reportReconciliation')) return null;
  return (
    <section class="panel" aria-labelledby="compared-heading">
      <h2 id="compared-heading">Compared with the payment service</h2>
      <Shown what="the comparison" of={report}>
        {({ comparedAt, payments, differences, compared }) => (
          <p>
            {comparedAt === null ? (
              'Not all of this period has been compared yet.'
            ) : (
              <>
                Everything in this period up to <Instant at={comparedAt} /> has been compared.
              </>
            )}{' '}
            {counted(payments, 'payment')} compared,{' '}
            <strong class={differences === 0 ? undefined : 'is-near'}>
              {differences === 0 ? 'no difference' : counted(differences, 'difference')}
            </strong>
            . <LastComparison of={compared} />
          </p>
        )}
      </Shown>
      <CompareNow from={from} to={to} />
    </section>
  );
}

interface LastComparisonProps {
  /** The comparisons, in the order of the parts of the period that they cover. */
  readonly of: ReconciliationReport['compared'];
}

function LastComparison({ of: compared }: LastComparisonProps) {
  const [first, ...others] = compared;
  if (first === undefined) return null;
  const { jobId } = others.reduce((last, each) => (each.comparedAt > last.comparedAt ? each : last), first);
  return <a href={pathTo('jobs', jobId)}>Open the last comparison</a>;
}

function CompareNow({ from, to }: ComparedProps) {
  const { route } = useLocation();
  return (
    <Action
      label="Compare now"
      title="Compare this period with the payment service"
      action="Compare"
      needs="orderReconciliation"
      changes={['jobs', 'reports']}
      consequences={
        <p>
          dueday asks the payment service for each payment of the period and lists what differs. Nothing is changed, and
          no money moves.
        </p>
      }
      run={async (_form, key) => {
        const job = await post('/v1/reports/reconciliation', undefined, { from, to }, key);
        route(pathTo('jobs', job.jobId));
      }}
    />
  );
}
