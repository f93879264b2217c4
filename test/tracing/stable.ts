import type { ReceivedSpan } from './otlp-receiver';

/** A span as the docs show it, with its depth in the trace. */
export interface StableSpan extends Omit<ReceivedSpan, 'start' | 'end' | 'resource'> {
  readonly depth: number;
  /** The steps at which it began and ended, in the sequence of all spans. */
  readonly start: number;
  readonly end: number;
}

/** The number of steps between spans that are separated by a timer. */
const BETWEEN_TRACE_BEGINNINGS = 3;

/**
 * The spans of a trace with what differs from run to run made the same: ids are numbered, addresses have names, and times
 * are steps in the order in which spans begin and end. The children of a span are listed in the order in which they
 * ended, which is also the order in which they began if they do not overlap.
 */
export function stableSpans(spans: readonly ReceivedSpan[], traceId: string): readonly StableSpan[] {
  const ofTrace = spans.filter((span) => span.traceId === traceId);
  const names = new Map<string, string>();
  const stable: StableSpan[] = [];
  let step = 0;

  function tell(span: ReceivedSpan, depth: number, parentSpanId: string | undefined): void {
    const place = stable.length;
    const { traceId, name, kind, links, isError } = span;
    const spanId = String(place + 1).padStart(16, '0');
    const attributes = stableValues(span.attributes, names);
    const started = {
      traceId,
      name,
      kind,
      links,
      isError,
      spanId,
      parentSpanId,
      attributes,
      depth,
      start: (step += 1),
      end: 0,
    };
    stable.push(started);
    for (const each of ofTrace) if (each.parentSpanId === span.spanId) tell(each, depth + 1, spanId);
    stable[place] = { ...started, end: (step += 1) };
  }

  for (const span of ofTrace) {
    if (span.parentSpanId !== undefined) continue;
    tell(span, 0, undefined);
    step += BETWEEN_TRACE_BEGINNINGS;
  }
  return stable;
}

/** UUIDs with and without hyphens. */
const UUID = /[\da-f]{8}(?:-?[\da-f]{4}){3}-?[\da-f]{12}/g;
const ADDRESS = /127\.0\.0\.1:\d+/g;

function stableValues(values: ReceivedSpan['attributes'], names: Map<string, string>): ReceivedSpan['attributes'] {
  const numbered = (id: string) => {
    const name = names.get(id) ?? String(names.size + 1);
    names.set(id, name);
    return name;
  };
  const stable = (value: unknown) =>
    typeof value === 'string' ? value.replace(UUID, numbered).replace(ADDRESS, 'payment-service.example') : value;
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, stable(value)]));
}

/** The start of the simulated trace: the first instant of 2027, ns. */
const BEGIN = 1_798_761_600_000_000_000n;
const STEP = 1_000_000n;

/** The trace as a collector would get it, in OTLP JSON, which trace viewers can read. */
export function toOtlp(spans: readonly StableSpan[]): string {
  const resource = { 'service.name': 'dueday', 'service.instance.id': 'worker-1', 'dueday.role': 'worker' };
  const request = {
    resourceSpans: [
      {
        resource: { attributes: keyValues(resource) },
        scopeSpans: [{ scope: { name: 'dueday' }, spans: spans.map(toWire) }],
      },
    ],
  };
  return `${JSON.stringify(request, null, 2)}\n`;
}

function toWire({ traceId, spanId, parentSpanId, name, kind, start, end, attributes, isError }: StableSpan) {
  const at = (step: number) => String(BEGIN + BigInt(step) * STEP);
  return {
    ...{ traceId, spanId, ...(parentSpanId === undefined ? {} : { parentSpanId }), name, kind },
    startTimeUnixNano: at(start),
    endTimeUnixNano: at(end),
    attributes: keyValues(attributes),
    ...(isError ? { status: { code: 2 } } : {}),
  };
}

function keyValues(values: ReceivedSpan['attributes']) {
  return Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: value } : { stringValue: String(value) },
  }));
}
