import { setTimeout as pause } from 'node:timers/promises';
import { context, diag, DiagLogLevel, propagation, trace } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import type { IdGenerator, SpanExporter } from '@opentelemetry/sdk-trace-node';
import { SECOND } from '../../domain/time';
import type { Logger } from '../log';
import { startingSubject, faultOf } from './spans';
import { traceIdsOf } from './subject';

export interface TracingOptions {
  /**
   * Address of a collector for OTLP over HTTP, as in `OTEL_EXPORTER_OTLP_ENDPOINT`, without `/v1/traces`. If undefined, nothing is
   * traced.
   */
  readonly endpoint: string | undefined;
  /** The role of this process: daemon, worker, api. */
  readonly role: string;
  readonly version: string;
  /** Identifies this process. */
  readonly instance: string;
  readonly log: Logger;
}

/** Tracing of this process. */
export interface Tracing {
  /** Sends the remaining spans, with a short time-out, and ends. */
  stop(): Promise<void>;
}

/** Real ms for sending the last spans when stopping: an unreachable collector must not delay it. */
const LAST_SPANS = 2 * SECOND;

const OFF: Tracing = { stop: async () => undefined };

/**
 * Starts exporting traces in the background, in batches, if there is an endpoint. Otherwise the SDK is not loaded. The variables
 * that the SDK reads by itself are in docs/reference/configuration.md.
 */
export async function startTracing({ endpoint, log, ...process }: TracingOptions): Promise<Tracing> {
  if (endpoint === undefined) return OFF;
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const { BatchSpanProcessor, NodeTracerProvider, RandomIdGenerator } = await import('@opentelemetry/sdk-trace-node');
  const faults = reportSettings(log);
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` });
  const provider = new NodeTracerProvider({
    resource: await describeProcess(process),
    idGenerator: subjectIds(new RandomIdGenerator()),
    spanProcessors: [new BatchSpanProcessor(new ReportingExporter(exporter, log))],
  });
  provider.register();
  faults.end();
  log.info({ endpoint: new URL(endpoint).origin }, 'exporting traces');
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

/** dueday's attributes, unless `OTEL_SERVICE_NAME` or `OTEL_RESOURCE_ATTRIBUTES` overrides them. */
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

/**
 * Logs what the SDK finds wrong with its variables during its start. Its later warnings, one for each lost batch, go to
 * debug.
 */
function reportSettings(log: Logger): { end(): void } {
  let isStarting = true;
  const report = (message: string) => {
    if (isStarting) log.warn(message);
    else log.debug(message);
  };
  const logger = { error: report, warn: report, info: report, debug: report, verbose: report };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  return {
    end() {
      isStarting = false;
    },
  };
}

/** The fixed trace id of the subject, or a random one if there is none. */
function subjectIds(random: IdGenerator): IdGenerator {
  return {
    generateTraceId: () => traceIdsOf(startingSubject())?.traceId ?? random.generateTraceId(),
    generateSpanId: () => random.generateSpanId(),
  };
}

/** Logs once when traces are lost, and once when they are delivered again. */
class ReportingExporter implements SpanExporter {
  private isFailing = false;

  constructor(
    private readonly exporter: SpanExporter,
    private readonly log: Logger,
  ) {}

  export: SpanExporter['export'] = (spans, done) => {
    this.exporter.export(spans, (result) => {
      // 0 means success in the specification; the SDK's name for it is in a separate package.
      const code: number = result.code;
      this.report(code !== 0, result.error);
      done(result);
    });
  };

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }

  private report(isFailing: boolean, error: Error | undefined): void {
    if (isFailing === this.isFailing) return;
    this.isFailing = isFailing;
    if (isFailing) this.log.warn({ reason: faultOf(error) }, 'traces are not delivered, and are dropped for now');
    else this.log.info('traces are delivered again');
  }
}
