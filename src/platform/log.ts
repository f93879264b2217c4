import { AsyncLocalStorage } from 'node:async_hooks';
import { isNativeError } from 'node:util/types';
import { trace } from '@opentelemetry/api';
import { destination, pino, type Logger, type LoggerOptions } from 'pino';
import pretty from 'pino-pretty';
import { RepeatedLines } from './repeated-lines';

export type { Logger };

/** Names of fields whose values are masked in log lines (rules 28 and 29). */
const SECRET_PATHS = [
  'authorization',
  'secret',
  'clientSecret',
  'apiKey',
  'password',
  'token',
  // With it, anyone with access to Temporal could complete an activity.
  'taskToken',
  'billingAddress',
  'email',
];

/** The secret fields in pino's notation: of a line, and of objects up to two levels below it. */
export const REDACTED = {
  paths: SECRET_PATHS.flatMap((path) => [path, `*.${path}`, `*.*.${path}`]),
  censor: '[masked]',
};

type Fields = Readonly<Record<string, unknown>>;

const currentFields = new AsyncLocalStorage<Fields>();

/** Runs the work; every line logged during it has these fields, unless it sets its own of the same name. */
export function withLogFields<T>(fields: Fields, work: () => T): T {
  return currentFields.run(fields, work);
}

/** The fields of the current work, with its trace and span by OpenTelemetry's names for logs. */
export function currentLogFields(): Record<string, unknown> {
  const span = trace.getActiveSpan();
  if (span?.isRecording() !== true) return { ...currentFields.getStore() };
  const { traceId, spanId } = span.spanContext();
  return { ...currentFields.getStore(), trace_id: traceId, span_id: spanId };
}

/** Pino's level for warnings. More severe lines of dueday report faults, and each of them is written. */
const WARN = 40;

/**
 * Whether a line may be counted instead of written, if one like it was written before. Security events are always logged
 * individually. Temporal's library, whose lines name their component, calls each retry after the fifteenth an error.
 */
function isRepeatable(fields: unknown, level: number): fields is Fields {
  if (typeof fields !== 'object' || fields === null) return false;
  return 'sdkComponent' in fields ? level >= WARN : level === WARN && !('security' in fields);
}

/** Summarizes repeated warnings of this process: see {@link RepeatedLines}. */
function summarizeRepeated(): NonNullable<LoggerOptions['hooks']> {
  const repeated = new RepeatedLines();
  return {
    logMethod(args, method, level) {
      const [fields, message] = args as unknown as readonly [unknown, unknown];
      if (!isRepeatable(fields, level) || typeof message !== 'string') {
        method.apply(this, args);
        return;
      }
      repeated.add(fields, message, (shown, text) => method.apply(this, [shown, text]));
    },
  };
}

/**
 * Writes JSON lines to standard output; pretty on a terminal. Secrets and personal data are masked by field name, and repeated
 * warnings are written once a minute with their count.
 */
export function createLogger(level: string, options: { pretty?: boolean; name?: string } = {}): Logger {
  const how: LoggerOptions = {
    level,
    base: options.name === undefined ? {} : { part: options.name },
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: currentLogFields,
    hooks: summarizeRepeated(),
    // Pino's own serializer would take the result of `loggable` for an error of the type Object.
    serializers: { err: (error: unknown) => (error instanceof Error ? loggable(error) : error) },
    redact: REDACTED,
  };
  // Synchronous, as all other output: otherwise lines could appear out of order.
  return pino(
    how,
    options.pretty === true ? pretty({ ignore: 'pid,hostname', sync: true }) : destination({ sync: true }),
  );
}

/** Plain progress lines on standard error: standard output is for the result only. */
export function createProgressLog(level = 'info'): Logger {
  return pino(
    { level },
    { write: (line) => void process.stderr.write(`${(JSON.parse(line) as { msg: string }).msg}\n`) },
  );
}

/**
 * Details of PostgreSQL errors contain whole rows, and rows contain personal data (rule 29): only safe fields are kept. An error
 * without a message of its own, for example after trying all addresses of a host, gets that of the first failure.
 */
export function loggable(error: unknown): Record<string, unknown> {
  // The error that aborts a slow request is an `Error`, but not a native one.
  if (!isNativeError(error) && !(error instanceof Error)) return { type: typeof error };
  const { name, message, stack } = error;
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error.cause;
  const code = codeOf(error) ?? codeOf(first);
  const text = message === '' && isNativeError(first) ? first.message : message;
  return { type: name, message: text, stack, ...(code === undefined ? {} : { code }) };
}

function codeOf(error: unknown): unknown {
  return isNativeError(error) && 'code' in error ? error.code : undefined;
}
