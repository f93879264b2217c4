import {
  type Attributes,
  context,
  createContextKey,
  type Link,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import { attributesOf, type Subject, traceIdsOf } from './subject';

/**
 * Spans, using only OpenTelemetry's API: without an exporter, each of these functions just runs the work. Spans contain names,
 * codes, ids and numbers, but never a message, a body or a value of a statement.
 */

const KINDS = { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT, server: SpanKind.SERVER };

/** The result of the work. */
export interface Outcome {
  readonly attributes?: Attributes;
  /** What went wrong, as a code or a type; null if nothing did. */
  readonly fault?: string | null;
}

export interface SpanDescription<T = unknown> {
  readonly kind?: keyof typeof KINDS;
  readonly attributes?: Attributes;
  /** The subject whose trace is also linked. */
  readonly linkedTo?: Subject;
  readonly outcomeOf?: (result: T) => Outcome;
  /** The outcome if the work fails; by default, the fault is the error's code or class. */
  readonly outcomeOfError?: (error: unknown) => Outcome;
}

/** Whether the current work is traced and sampled. */
export function isTraced(): boolean {
  return trace.getActiveSpan()?.isRecording() === true;
}

/** Adds attributes to the current span, if there is one. */
export function describeSpan(attributes: Attributes): void {
  trace.getActiveSpan()?.setAttributes(attributes);
}

/** Runs shared work that is not part of the current trace. */
export function outsideTrace<T>(work: () => Promise<T>): Promise<T> {
  return context.with(ROOT_CONTEXT, work);
}

/** Runs the work in a child of the current span; without a span if there is none. */
export function inSpan<T>(name: string, work: () => Promise<T>, described: SpanDescription<T> = {}): Promise<T> {
  return isTraced() ? within(tracer().startSpan(name, optionsOf(described)), work, described) : work();
}

/**
 * Runs the work in a span of its subject's trace: as a child of the current span if that belongs to the same trace, otherwise as
 * a root span of the subject's trace, linked to the current span. Without a subject, it is a child of the current span; if there
 * is none, a new trace starts.
 */
export function inTraceOf<T>(
  subject: Subject,
  name: string,
  work: () => Promise<T>,
  description: SpanDescription<T> = {},
): Promise<T> {
  const described = { ...description, attributes: { ...attributesOf(subject), ...description.attributes } };
  const current = trace.getActiveSpan()?.spanContext();
  const isSame = current !== undefined && [undefined, current.traceId].includes(traceIdsOf(subject)?.traceId);
  if (isSame) return inSpan(name, work, described);
  const { links = [], ...options } = optionsOf(described);
  const beginning = {
    ...options,
    root: true,
    links: [...links, ...(current === undefined ? [] : [{ context: current }])],
  };
  const start = () => tracer().startSpan(name, beginning);
  return within(context.with(context.active().setValue(SUBJECT, subject), start), work, described);
}

const SUBJECT = createContextKey('dueday: whose trace begins');

/** The subject of the root span that is being started; empty for a new trace. */
export function startingSubject(): Subject {
  return (context.active().getValue(SUBJECT) as Subject | undefined) ?? {};
}

/** A span that is ended explicitly. */
export interface OpenSpan {
  /** Runs the work within it. */
  run<T>(work: () => T): T;
  end(outcome: Outcome): void;
}

/** Opens a child of the current span; null if there is none. */
export function openSpan(name: string, described: SpanDescription): OpenSpan | null {
  return isTraced() ? opened(tracer().startSpan(name, optionsOf(described))) : null;
}

/**
 * Opens the span of an incoming request.
 * @param traceparent the caller's, by W3C Trace Context; an invalid one is ignored
 */
export function openRequest(name: string, traceparent: unknown, described: SpanDescription): OpenSpan {
  const from = typeof traceparent === 'string' ? propagation.extract(ROOT_CONTEXT, { traceparent }) : ROOT_CONTEXT;
  return opened(tracer().startSpan(name, optionsOf(described), from));
}

function opened(span: Span): OpenSpan {
  return {
    run: (work) => context.with(trace.setSpan(context.active(), span), work),
    end: (outcome) => end(span, outcome),
  };
}

function tracer() {
  return trace.getTracer('dueday');
}

function optionsOf({ kind = 'internal', attributes = {}, linkedTo }: SpanDescription<never>): SpanOptions {
  return { kind: KINDS[kind], attributes, ...(linkedTo === undefined ? {} : { links: linksTo(linkedTo) }) };
}

function linksTo(subject: Subject): Link[] {
  const ids = traceIdsOf(subject);
  return ids === null ? [] : [{ context: { ...ids, traceFlags: TraceFlags.SAMPLED, isRemote: true } }];
}

async function within<T>(span: Span, work: () => Promise<T>, described: SpanDescription<T>): Promise<T> {
  try {
    const result = await context.with(trace.setSpan(context.active(), span), work);
    end(span, described.outcomeOf?.(result) ?? {});
    return result;
  } catch (error) {
    end(span, described.outcomeOfError?.(error) ?? { fault: faultOf(error) });
    throw error;
  }
}

function end(span: Span, { attributes = {}, fault = null }: Outcome): void {
  span.setAttributes(attributes);
  if (fault !== null) span.setAttribute('error.type', fault).setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** The code of an error, else its class: messages may contain hosts, values and personal data. */
export function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const code = 'code' in error ? error.code : undefined;
  return typeof code === 'string' || typeof code === 'number' ? String(code) : error.name;
}
