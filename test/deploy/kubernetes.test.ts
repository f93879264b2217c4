import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { DAEMON_NEEDS, loadConfig } from '../../src/config';
import { registeredMetrics, strangeSeries } from '../observation/known-series';
import { parsePromql } from '../observation/promql';
import { CERTIFICATE_FILE, KEY_FILE } from '../wiring/tls-server';
import {
  lacksServersAlone,
  NOWHERE,
  PROGRAM_ROLE,
  readEnvironmentFile,
  ROOT,
  SECRETS,
  STOPS_WITHIN_SECONDS,
  WEBHOOK_SECRETS,
  WEBHOOKS,
} from './deployed';

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

interface Named {
  readonly name: string;
}

interface Container {
  readonly name: string;
  readonly image: string;
  readonly args: readonly string[];
  readonly envFrom: readonly { readonly configMapRef?: Named; readonly secretRef?: Named }[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly securityContext: object;
  readonly resources: { readonly requests: object; readonly limits: object };
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
}

interface PodSpec {
  readonly containers: readonly Container[];
  readonly terminationGracePeriodSeconds?: number;
  readonly securityContext: object;
  readonly automountServiceAccountToken: boolean;
  readonly enableServiceLinks: boolean;
}

interface Resource {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: { readonly template?: { readonly spec: PodSpec } } & Readonly<Record<string, unknown>>;
}

interface Kustomization {
  readonly resources: readonly string[];
  readonly images: readonly { readonly name: string; readonly newTag: string }[];
}

const FOLDER = join(ROOT, 'deploy/kubernetes');
const textOf = (file: string) => readFileSync(join(FOLDER, file), 'utf8');
const kustomization = parse(textOf('kustomization.yaml')) as Kustomization;
const resources = kustomization.resources.flatMap((file) =>
  parseAllDocuments(textOf(file)).map((document) => document.toJS() as Resource),
);
const DEPLOY_PAGE = readFileSync(join(ROOT, 'docs/guides/deploy.md'), 'utf8');
const settings = readEnvironmentFile(textOf('dueday.env'));

/** The resources that run pods, with kind, name and pod. */
const PODS = resources.flatMap(({ kind, metadata, spec }) =>
  spec?.template === undefined ? [] : [{ kind, name: metadata.name, pod: spec.template.spec }],
);

function specOf(kind: string, name: string): Readonly<Record<string, unknown>> {
  const found = resources.find((each) => each.kind === kind && each.metadata.name === name);
  if (found?.spec === undefined) throw new Error(`there is no ${kind} ${name}`);
  return found.spec;
}

test('every manifest is part of the kustomization', () => {
  const others = ['kustomization.yaml', 'prometheus-adapter.yaml', 'dueday.env'];
  expect([...kustomization.resources, ...others].sort()).toEqual(readdirSync(FOLDER).sort());
});

test('the Kubernetes manifests run the image of this version, as docker-compose.yml does', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  expect(kustomization.images).toEqual([{ name: 'dueday', newTag: version }]);
  expect(PODS.flatMap(({ pod }) => pod.containers.map(({ image }) => image))).toEqual(PODS.map(() => 'dueday'));
});

test('one Kubernetes job migrates, API and worker are separate deployments, and another job makes their release current', () => {
  expect(PODS.map(({ kind, name, pod }) => [kind, name, pod.containers.map(({ args }) => args)])).toEqual([
    ['Job', 'dueday-migrate', [['migrate']]],
    ['Deployment', 'dueday-api', [['api']]],
    ['Deployment', 'dueday-worker', [['worker']]],
    ['Job', 'dueday-promote', [['versions', 'promote']]],
  ]);
});

test('the settings of the Kubernetes manifests are valid, and contain no secret', () => {
  expect(() => loadConfig({ ...SECRETS, ...settings }, DAEMON_NEEDS)).not.toThrow();
  expect(Object.keys(settings).filter((name) => name in SECRETS)).toEqual([]);
});

test("only the migration pod has the owner's secret, and it grants rights to the role of all other pods, because production refuses the owner", () => {
  const given = PODS.flatMap(({ name, pod }) =>
    pod.containers.map(({ envFrom, env = [] }) => [
      name,
      envFrom.flatMap(({ secretRef }) => secretRef?.name ?? []),
      env,
    ]),
  );
  expect(given).toEqual([
    ['dueday-migrate', ['dueday-owner'], [{ name: 'DATABASE_ROLE', value: PROGRAM_ROLE }]],
    ['dueday-api', ['dueday'], []],
    ['dueday-worker', ['dueday-worker'], []],
    ['dueday-promote', ['dueday-promote'], []],
  ]);
  expect(DEPLOY_PAGE).toContain(`create role ${PROGRAM_ROLE} login`);
});

test('pods may connect only to named namespaces and to public addresses', () => {
  const { egress } = specOf('NetworkPolicy', 'dueday') as {
    egress: { to?: { namespaceSelector?: object; ipBlock?: { cidr: string; except?: string[] } }[] }[];
  };
  expect(egress.map(({ to }) => to?.length)).toEqual([1, 1, 1, 1]);
  for (const { to: [peer] = [] } of egress)
    if (peer?.namespaceSelector === undefined)
      expect(peer?.ipBlock?.except).toEqual(expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16']));
    else expect(peer.namespaceSelector).toHaveProperty('matchLabels');
});

/** The settings of the manifests, overridden as in the example of docs/guides/deploy.md. */
function overlaidSettings(): Record<string, string> {
  const [, overlay = ''] = /```yaml\n([^`]*)```/.exec(DEPLOY_PAGE) ?? [];
  const { configMapGenerator } = parse(overlay) as { configMapGenerator: { literals: string[] }[] };
  return readEnvironmentFile(configMapGenerator.flatMap(({ literals }) => literals).join('\n'));
}

test('the settings of the manifests, overridden as in docs/guides/deploy.md, are accepted in production', () => {
  const overlaid = overlaidSettings();
  expect(overlaid['PAYMENT_SERVICE_ENVIRONMENT']).toBe('production');
  const secrets = {
    ...SECRETS,
    DATABASE_URL: `postgresql://${PROGRAM_ROLE}@db.internal/dueday?sslmode=verify-full`,
  };
  expect(() => loadConfig({ ...secrets, ...settings, ...overlaid }, DAEMON_NEEDS)).not.toThrow();
});

/** The environment of a pod of the overlay, with webhooks, private authorities and a client certificate. */
function environmentOf({ envFrom, env = [] }: Container): Record<string, string> {
  const [certificate, key] = [readFileSync(CERTIFICATE_FILE, 'utf8'), readFileSync(KEY_FILE, 'utf8')];
  const links = { TEMPORAL_ADDRESS: NOWHERE, TEMPORAL_TLS_CERT: certificate, DATABASE_CA: certificate };
  const configMap = { ...settings, ...overlaidSettings(), ...WEBHOOKS, ...links };
  const withoutBootstrap = Object.fromEntries(
    Object.entries(SECRETS).filter(([name]) => name !== 'ADMIN_BOOTSTRAP_KEY'),
  );
  const secrets: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    dueday: { ...SECRETS, ...WEBHOOK_SECRETS, TEMPORAL_TLS_KEY: key },
    'dueday-worker': { ...withoutBootstrap, ...WEBHOOK_SECRETS, TEMPORAL_TLS_KEY: key },
    'dueday-promote': { PAYLOAD_ENCRYPTION_KEYS: SECRETS['PAYLOAD_ENCRYPTION_KEYS']!, TEMPORAL_TLS_KEY: key },
    'dueday-owner': { DATABASE_URL: SECRETS['DATABASE_URL']! },
  };
  const sources = envFrom.map(({ configMapRef, secretRef }) =>
    configMapRef === undefined ? secrets[secretRef?.name ?? ''] : configMap,
  );
  const own = Object.fromEntries(env.map(({ name, value }) => [name, value]));
  return Object.fromEntries([...sources, own].flatMap((source) => Object.entries(source ?? {})));
}

test.each(PODS)(
  '$name accepts the overlay’s environment, and fails only because no server answers',
  async ({ pod }) => {
    for (const container of pod.containers) await lacksServersAlone(container.args, environmentOf(container));
  },
);

test('docs/guides/deploy.md creates the namespace before anything in it', () => {
  const commands = DEPLOY_PAGE.split('\n').filter((line) => line.startsWith('kubectl '));
  expect(commands[0]).toMatch(/^kubectl create namespace dueday\b/);
  expect(commands.filter((line) => line.startsWith('kubectl -n dueday ')).length).toBeGreaterThan(2);
});

test.each(PODS)('$name runs without privileges that it does not need', ({ pod }) => {
  expect(pod.securityContext).toEqual({
    runAsNonRoot: true,
    runAsUser: 1000,
    runAsGroup: 1000,
    seccompProfile: { type: 'RuntimeDefault' },
  });
  expect([pod.automountServiceAccountToken, pod.enableServiceLinks]).toEqual([false, false]);
  for (const { securityContext, resources: own } of pod.containers) {
    expect(securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(own).toMatchObject({ requests: { cpu: expect.any(String) }, limits: { memory: expect.any(String) } });
  }
});

test.each(PODS.filter(({ kind }) => kind === 'Deployment'))('$name has probes, and enough time to stop', ({ pod }) => {
  expect(pod.terminationGracePeriodSeconds).toBe(STOPS_WITHIN_SECONDS);
  for (const { ports = [], startupProbe, livenessProbe, readinessProbe } of pod.containers) {
    const named = ports.map(({ name }) => name);
    expect([startupProbe, livenessProbe, readinessProbe].map((probe) => probe?.httpGet.path)).toEqual([
      '/healthz',
      '/healthz',
      '/readyz',
    ]);
    for (const probe of [startupProbe, livenessProbe, readinessProbe]) expect(named).toContain(probe?.httpGet.port);
    const bound = ports.map(({ name, containerPort }) => [name, String(containerPort)]);
    const configured = { http: settings['ADMIN_PORT'], metrics: settings['METRICS_PORT'] };
    expect(configured).toMatchObject(Object.fromEntries(bound));
  }
});

test('the autoscaler uses metrics that the adapter computes from existing series', async () => {
  const adapter = parse(textOf('prometheus-adapter.yaml')) as {
    rules: { external: { name: { as: string }; metricsQuery: string }[] };
  };
  const { metrics } = specOf('HorizontalPodAutoscaler', 'dueday-worker') as {
    metrics: { external: { metric: { name: string } } }[];
  };
  expect(metrics.map(({ external }) => external.metric.name)).toEqual(
    adapter.rules.external.map(({ name }) => name.as),
  );
  const registry = await registeredMetrics();
  for (const { metricsQuery } of adapter.rules.external) {
    expect(strangeSeries(parsePromql(metricsQuery), registry)).toEqual([]);
  }
});

test('network policies deny all traffic except what they name, and admit only the ports of API and metrics', () => {
  const { podSelector, policyTypes } = specOf('NetworkPolicy', 'dueday');
  expect([podSelector, policyTypes]).toEqual([{}, ['Ingress', 'Egress']]);
  const ports = resources
    .filter(({ kind }) => kind === 'NetworkPolicy')
    .flatMap(({ spec }) => (spec?.['ingress'] ?? []) as { ports: { port: number }[] }[])
    .flatMap((rule) => rule.ports.map(({ port }) => String(port)));
  expect(ports.sort()).toEqual([settings['ADMIN_PORT'], settings['METRICS_PORT']].sort());
});
