import { setTimeout as pause } from 'node:timers/promises';
import { context, diag, DiagLogLevel, propagation, trace } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import type { IdGenerator, SpanExporter } from '@opentelemetry/sdk-trace-node';
import { SECOND } from '../../domain/time';
import type { Logger } from '../log';
import { beginningSubject, faultOf } from './spans';
import { traceIdsOf } from './subject';

export interface TracingOptions {
  /**
   * Of a collector that takes OTLP over HTTP, as `OTEL_EXPORTER_OTLP_ENDPOINT` has it: without `/v1/traces`. Without one
   * nothing is traced.
   */
  readonly endpoint: string | undefined;
  /** What this process runs: daemon, worker, api. */
  readonly role: string;
  readonly version: string;
  /** Names this process. */
  readonly instance: string;
  readonly log: Logger;
}

/** Traces, once a process. */
export interface Tracing {
  /** Sends what is left, for a moment at most, and ends. */
  stop(): Promise<void>;
}

/** Real ms in which a process that stops sends its last spans: a collector that is away must not keep it. */
const LAST_SPANS = 2 * SECOND;

const OFF: Tracing = { stop: async () => undefined };

/**
 * Begins to export traces where there is an endpoint: in batches, aside from the work. Where there is none, nothing of the
 * SDK is loaded. What the SDK reads by itself is in docs/configuration.md.
 */
export async function startTracing({ endpoint, log, ...process }: TracingOptions): Promise<Tracing> {
  if (endpoint === undefined) return OFF;
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const { BatchSpanProcessor, NodeTracerProvider, RandomIdGenerator } = await import('@opentelemetry/sdk-trace-node');
  const faults = tellOfSettings(log);
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` });
  const provider = new NodeTracerProvider({
    resource: await describeProcess(process),
    idGenerator: subjectIds(new RandomIdGenerator()),
    spanProcessors: [new BatchSpanProcessor(new TellingExporter(exporter, log))],
  });
  provider.register();
  faults.end();
  log.info({ endpoint: new URL(endpoint).origin }, 'traces are exported');
  return {
    async stop() {
      const shutdown = provider.shutdown().catch((error: unknown) => {
        log.debug({ reason: faultOf(error) }, 'the last traces were not delivered');
      });
      await Promise.race([shutdown, pause(LAST_SPANS, undefined, { ref: false })]);
      for (const each of [trace, context, propagation, diag]) each.disable();
    },
  };
}

/** Ours, unless the environment says otherwise by `OTEL_SERVICE_NAME` or `OTEL_RESOURCE_ATTRIBUTES`. */
async function describeProcess({
  role,
  version,
  instance,
}: Omit<TracingOptions, 'endpoint' | 'log'>): Promise<Resource> {
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } =
    await import('@opentelemetry/resources');
  const ours = resourceFromAttributes({
    'service.name': 'dueday',
    'service.version': version,
    'service.instance.id': instance,
    'dueday.role': role,
  });
  return defaultResource()
    .merge(ours)
    .merge(detectResources({ detectors: [envDetector] }));
}

/** What the SDK finds wrong with its variables while it starts. Later it would tell of each batch that is lost. */
function tellOfSettings(log: Logger): { end(): void } {
  let isStarting = true;
  const tell = (message: string) => {
    if (isStarting) log.warn(message);
    else log.debug(message);
  };
  const logger = { error: tell, warn: tell, info: tell, debug: tell, verbose: tell };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  return {
    end() {
      isStarting = false;
    },
  };
}

/** A trace of its own for what concerns nothing, and the one trace of what does. */
function subjectIds(random: IdGenerator): IdGenerator {
  return {
    generateTraceId: () => traceIdsOf(beginningSubject())?.traceId ?? random.generateTraceId(),
    generateSpanId: () => random.generateSpanId(),
  };
}

/** Says once that traces are lost, and once that they arrive again. */
class TellingExporter implements SpanExporter {
  private isFailing = false;

  constructor(
    private readonly exporter: SpanExporter,
    private readonly log: Logger,
  ) {}

  export: SpanExporter['export'] = (spans, done) => {
    this.exporter.export(spans, (result) => {
      // 0: success, by the specification; the SDK has the name in a package of its own.
      const code: number = result.code;
      this.tell(code !== 0, result.error);
      done(result);
    });
  };

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }

  private tell(isFailing: boolean, error: Error | undefined): void {
    if (isFailing === this.isFailing) return;
    this.isFailing = isFailing;
    if (isFailing) this.log.warn({ reason: faultOf(error) }, 'traces are not delivered, and are dropped for now');
    else this.log.info('traces are delivered again');
  }
}
