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
 * Spans, on OpenTelemetry's API alone: where no exporter was started, each of these functions does its work and nothing
 * else. Names, codes, ids and numbers only: never a message, a body or a value of a statement.
 */

const KINDS = { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT, server: SpanKind.SERVER };

/** What came of the work. */
export interface Outcome {
  readonly attributes?: Attributes;
  /** What went wrong, as a code or a type; null where nothing did. */
  readonly fault?: string | null;
}

export interface SpanDescription<T = unknown> {
  readonly kind?: keyof typeof KINDS;
  readonly attributes?: Attributes;
  /** Whose trace it is linked to, beside its own. */
  readonly linkedTo?: Subject;
  readonly outcomeOf?: (result: T) => Outcome;
  /** A failure that is none: what stops it for now. */
  readonly outcomeOfError?: (error: unknown) => Outcome;
}

/** Whether the work at hand is traced, and sampled. */
export function isTraced(): boolean {
  return trace.getActiveSpan()?.isRecording() === true;
}

/** Says more of the span at hand, if there is one. */
export function describeSpan(attributes: Attributes): void {
  trace.getActiveSpan()?.setAttributes(attributes);
}

/** Runs work that others share: it is no part of what is traced at hand. */
export function outsideTrace<T>(work: () => Promise<T>): Promise<T> {
  return context.with(ROOT_CONTEXT, work);
}

/** Runs the work in a span within the one at hand; as it is, where there is none. */
export function inSpan<T>(name: string, work: () => Promise<T>, described: SpanDescription<T> = {}): Promise<T> {
  return isTraced() ? within(tracer().startSpan(name, optionsOf(described)), work, described) : work();
}

/**
 * Runs the work in a span of the trace of what it concerns: within the span at hand where that is of the same trace, else
 * as one of the trace's own beginnings, linked to the span at hand. Of what concerns nothing the trace is new.
 */
export function inTraceOf<T>(
  subject: Subject,
  name: string,
  work: () => Promise<T>,
  description: SpanDescription<T> = {},
): Promise<T> {
  const described = { ...description, attributes: { ...attributesOf(subject), ...description.attributes } };
  const atHand = trace.getActiveSpan()?.spanContext();
  const isSame = atHand !== undefined && [undefined, atHand.traceId].includes(traceIdsOf(subject)?.traceId);
  if (isSame) return inSpan(name, work, described);
  const { links = [], ...options } = optionsOf(described);
  const beginning = {
    ...options,
    root: true,
    links: [...links, ...(atHand === undefined ? [] : [{ context: atHand }])],
  };
  const start = () => tracer().startSpan(name, beginning);
  return within(context.with(context.active().setValue(SUBJECT, subject), start), work, described);
}

const SUBJECT = createContextKey('dueday: whose trace begins');

/** Whose trace the span is part of that is being started; empty for a new one. */
export function beginningSubject(): Subject {
  return (context.active().getValue(SUBJECT) as Subject | undefined) ?? {};
}

/** A span that is ended by hand. */
export interface OpenSpan {
  /** Runs the work within it. */
  run<T>(work: () => T): T;
  end(outcome: Outcome): void;
}

/** Within the span at hand; null where there is none. */
export function openSpan(name: string, described: SpanDescription): OpenSpan | null {
  return isTraced() ? opened(tracer().startSpan(name, optionsOf(described))) : null;
}

/**
 * The span of a request from outside.
 * @param traceparent of the caller, as W3C Trace Context has it; what is none counts as none
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

/** The code of an error, else its class: messages name hosts, values and people. */
export function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const code = 'code' in error ? error.code : undefined;
  return typeof code === 'string' || typeof code === 'number' ? String(code) : error.name;
}
