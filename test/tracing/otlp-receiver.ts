import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A value as OTLP has it in JSON. */
type AnyValue = Readonly<Partial<Record<'stringValue' | 'intValue' | 'doubleValue' | 'boolValue', unknown>>>;
interface KeyValue {
  readonly key: string;
  readonly value: AnyValue;
}

interface WireSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes?: readonly KeyValue[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status?: { readonly code?: number };
}

interface WireExport {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[];
  }[];
}

export type Values = Readonly<Record<string, unknown>>;

/** A span as a collector gets it. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Undefined for a span without a parent. */
  readonly parentSpanId?: string | undefined;
  readonly name: string;
  /** 1 internal, 2 server, 3 client. */
  readonly kind: number;
  /** ns since 1970. */
  readonly start: bigint;
  readonly end: bigint;
  readonly attributes: Values;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly isError: boolean;
  /** The attributes of the process that exported it. */
  readonly resource: Values;
}

export interface OtlpReceiver {
  /** The URL for `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly url: string;
  /** Every span so far, in the order in which they ended. */
  spans(): readonly ReceivedSpan[];
  /** Every body so far, as it came. */
  text(): string;
  close(): Promise<void>;
}

/** A collector that takes OTLP over HTTP in JSON, on this machine. */
export async function openOtlpReceiver(port = 0): Promise<OtlpReceiver> {
  const bodies: string[] = [];
  const server = createServer((incoming, outgoing) => {
    let body = '';
    incoming.setEncoding('utf8').on('data', (text: string) => (body += text));
    incoming.on('end', () => {
      const isTraces = incoming.method === 'POST' && incoming.url === '/v1/traces';
      if (isTraces) bodies.push(body);
      outgoing.writeHead(isTraces ? 200 : 404, { 'content-type': 'application/json' }).end('{}');
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () => bodies.flatMap(spansIn),
    text: () => bodies.join('\n'),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function spansIn(body: string): ReceivedSpan[] {
  const { resourceSpans } = JSON.parse(body) as WireExport;
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) => spans.map((span) => readSpan(span, valuesOf(resource.attributes)))),
  );
}

function readSpan(span: WireSpan, resource: Values): ReceivedSpan {
  const { traceId, spanId, parentSpanId, name, kind, attributes = [], links = [], status } = span;
  return {
    ...{ traceId, spanId, parentSpanId, name, kind, resource },
    start: BigInt(span.startTimeUnixNano),
    end: BigInt(span.endTimeUnixNano),
    attributes: valuesOf(attributes),
    links: links.map((link) => ({ traceId: link.traceId, spanId: link.spanId })),
    isError: status?.code === 2,
  };
}

function valuesOf(attributes: readonly KeyValue[]): Values {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
