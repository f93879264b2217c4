import { join } from 'node:path';
import type { Pool } from '../../src/ledger';
import { traceIdsOf } from '../../src/platform/tracing/subject';
import { playCollection, SUBSCRIPTION } from './collection';
import { stableSpans, toOtlp } from './stable';
import { traced, type Traces } from './traces-on';
import { drawWaterfall } from './waterfall';

const DOCS = join(__dirname, '../../docs');
export const TRACE_FILE = join(DOCS, 'traces/collection.json');
export const PICTURE_FILE = join(DOCS, 'images/trace.svg');
const HEADING = 'One cycle: refused, the payer notified, collected by the retry a day later';

/** The documents about the trace of one collection, generated again, and the spans on which they are based. */
export interface TraceDocuments extends Traces {
  readonly json: string;
  readonly picture: string;
}

/** @param ledger a ledger without the subscription {@link SUBSCRIPTION} */
export async function makeDocuments(ledger: Pool): Promise<TraceDocuments> {
  let traces: Traces = { spans: [], text: '' };
  await playCollection(ledger, async (play) => {
    traces = await traced(play);
  });
  const stable = stableSpans(traces.spans, traceIdsOf({ subscriptionId: SUBSCRIPTION, cycle: 0 })?.traceId ?? '');
  return { ...traces, json: toOtlp(stable), picture: drawWaterfall(HEADING, stable) };
}
