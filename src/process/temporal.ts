import { type WorkflowClientInterceptor, Client, Connection, isGrpcServiceError } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';
import type { TLSConfig } from '@temporalio/common/lib/internal-non-workflow';
import type { DataConverter } from '@temporalio/common';
import { type Config, needed } from '../config';
import { SEARCH_ATTRIBUTES } from '../contract/workflows';
import { type ClockSetting, scaledTimeout, SECOND } from '../domain/time';
import { bindCalls } from '../platform/payload-binding';
import { createPayloadEncryption, forWorkers } from '../platform/payload-encryption';
import { usesTls } from '../config/production-profile';
import { traceCalls } from '../platform/tracing/temporal';

/** Temporal's default: how long it waits for the worker that took a workflow task before giving it to another. Real ms. */
const TASK_TIMEOUT = 10 * SECOND;

/**
 * On an accelerated test clock, workflows must not wait long for a worker that died with their task: see {@link scaledTimeout}.
 * A workflow that continues as new keeps the time-out it was started with.
 */
export function scaledTaskTimeouts(setting: ClockSetting): WorkflowClientInterceptor {
  const workflowTaskTimeout = msToTs(scaledTimeout(setting, TASK_TIMEOUT));
  return {
    startWithDetails: (input, next) => next({ ...input, options: { ...input.options, workflowTaskTimeout } }),
    signalWithStart: (input, next) => next({ ...input, options: { ...input.options, workflowTaskTimeout } }),
  };
}

/** How the cluster is reached, both by clients and by workers. */
export interface TemporalAccess {
  readonly address: string;
  readonly apiKey?: string;
  readonly tls?: TLSConfig;
}

export function temporalAccess(config: Config): TemporalAccess {
  const { TEMPORAL_API_KEY: apiKey } = config;
  return {
    address: needed(config.TEMPORAL_ADDRESS, 'TEMPORAL_ADDRESS'),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(usesTls(config) ? { tls: tlsOf(config) } : {}),
  };
}

function tlsOf(config: Config): TLSConfig {
  const {
    TEMPORAL_TLS_CA: ca,
    TEMPORAL_TLS_CERT: cert,
    TEMPORAL_TLS_KEY: key,
    TEMPORAL_TLS_SERVER_NAME: name,
  } = config;
  return {
    ...(ca === undefined ? {} : { serverRootCACertificate: Buffer.from(ca) }),
    ...(name === undefined ? {} : { serverNameOverride: name }),
    ...(cert === undefined || key === undefined
      ? {}
      : { clientCertPair: { crt: Buffer.from(cert), key: Buffer.from(key) } }),
  };
}

/** How payloads are written to Temporal: encrypted if keys are configured. */
function clientConverter(config: Config): DataConverter {
  const codec = payloadCodec(config);
  return codec === undefined ? {} : { payloadCodecs: [codec] };
}

/** How a worker reads and writes payloads: a payload from a stranger must not stop the worker. */
export function workerConverter(config: Config): DataConverter {
  return { payloadCodecs: [forWorkers(payloadCodec(config))] };
}

function payloadCodec({ PAYLOAD_ENCRYPTION_KEYS: keys, PAYLOAD_PLAIN_ALLOWED: plainAllowed }: Config) {
  return keys === undefined ? undefined : createPayloadEncryption(keys, { plainAllowed });
}

export interface TemporalConnection {
  readonly client: Client;
  /** The caller must close it. */
  readonly connection: Connection;
}

/**
 * Longest wait between two tries to reconnect, in real ms. gRPC's default is two minutes, which callers would wait even after the
 * cluster is back; the client's own retries must find it reconnected before they give up.
 */
const MAX_RECONNECT_WAIT = 5 * SECOND;

export async function connectTemporal(config: Config): Promise<TemporalConnection> {
  const connection = await Connection.connect({
    ...temporalAccess(config),
    channelArgs: { 'grpc.max_reconnect_backoff_ms': MAX_RECONNECT_WAIT },
  });
  const scaled = config.TEST_CLOCK === undefined ? [] : [scaledTaskTimeouts(config.TEST_CLOCK)];
  const bound = config.PAYLOAD_ENCRYPTION_KEYS === undefined ? [] : [bindCalls];
  return {
    connection,
    client: new Client({
      connection,
      namespace: config.TEMPORAL_NAMESPACE,
      dataConverter: clientConverter(config),
      interceptors: { workflow: [traceCalls, ...scaled, ...bound] },
    }),
  };
}

/** Runs work on Temporal with its own connection. */
export async function withTemporal<T>(config: Config, work: (opened: TemporalConnection) => Promise<T>): Promise<T> {
  const opened = await connectTemporal(config);
  try {
    return await work(opened);
  } finally {
    await opened.connection.close();
  }
}

/**
 * gRPC status codes: already exists, permission denied, unimplemented. On Temporal Cloud and clusters with roles, an administrator
 * registers the attributes, see docs/guides/deploy.md.
 */
const IGNORED_CODES: ReadonlySet<number> = new Set([6, 7, 12]);
/** Temporal's number for the type Keyword. */
const KEYWORD = 2;

/** Registers dueday's search attributes; existing ones are left unchanged. */
export async function registerSearchAttributes(connection: Connection, namespace: string): Promise<void> {
  const searchAttributes = Object.fromEntries(SEARCH_ATTRIBUTES.map(({ name }) => [name, KEYWORD]));
  try {
    await connection.operatorService.addSearchAttributes({ namespace, searchAttributes });
  } catch (error) {
    if (!isGrpcServiceError(error) || !IGNORED_CODES.has(error.code)) throw error;
  }
}
