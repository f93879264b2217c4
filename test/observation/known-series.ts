import type { Registry } from 'prom-client';
import { createTelemetry } from '../../src/platform/metrics';
import { withUnconnectedAdmin } from '../client/unconnected-admin';
import { documentedMetrics } from '../docs/documented-metrics';
import type { Expression } from './promql';

export interface KnownMetric {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
}

/** Labels that Prometheus adds, and those of Temporal Core's metrics. */
const OF_PROMETHEUS = ['instance', 'job'];
const OF_CORE = [
  'activity_type',
  'namespace',
  'operation',
  'poller_type',
  'task_queue',
  'worker_type',
  'workflow_type',
];

/** The metrics that a daemon registers. No value is read. */
export async function registeredMetrics(): Promise<Registry> {
  const { registry } = createTelemetry({});
  return withUnconnectedAdmin(registry, () => registry);
}

/** Every metric that docs/reference/metrics.md lists: ours as they are registered, those of Temporal Core by their names. */
export function knownMetrics(registry: Registry): ReadonlyMap<string, KnownMetric> {
  const ours = registry.getMetricsAsArray().map((metric) => {
    const labels = 'labelNames' in metric ? (metric.labelNames as string[]) : [];
    return [metric.name, { type: String(metric.type) as KnownMetric['type'], labels }] as const;
  });
  const registered = new Map<string, KnownMetric>(ours);
  const listed = [...documentedMetrics('dueday_'), ...documentedMetrics('temporal_')];
  return new Map(
    listed.flatMap((name) => {
      const known = registered.get(name) ?? (name.startsWith('temporal_') ? ofCore(name) : null);
      return known === null ? [] : [[name, known] as const];
    }),
  );
}

function ofCore(name: string): KnownMetric {
  if (name.endsWith('_latency_seconds')) return { type: 'histogram', labels: OF_CORE };
  return { type: name.endsWith('_total') ? 'counter' : 'gauge', labels: OF_CORE };
}

/**
 * What is wrong with the series that the expression asks for: a metric that docs/reference/metrics.md does not list, or a label that
 * the metric does not have. None if all is well.
 */
export function strangeSeries({ selectors, grouping }: Expression, registry: Registry): readonly string[] {
  const known = knownSeries(registry);
  const strange = selectors.flatMap(({ metric, labels }) => {
    const own = known.get(metric);
    if (own === undefined) return [metric];
    return labels.filter((label) => !own.includes(label)).map((label) => `${metric}{${label}}`);
  });
  const grouped = selectors.flatMap(({ metric }) => known.get(metric) ?? []);
  return [...strange, ...grouping.filter((label) => !grouped.includes(label)).map((label) => `by (${label})`)];
}

/** The labels of each series; a histogram is three. */
function knownSeries(registry: Registry): ReadonlyMap<string, readonly string[]> {
  const series = new Map<string, readonly string[]>();
  for (const [name, { type, labels }] of knownMetrics(registry)) {
    const parts = type === 'histogram' ? ['_bucket', '_count', '_sum'] : [''];
    for (const part of parts) {
      series.set(`${name}${part}`, [...labels, ...OF_PROMETHEUS, ...(part === '_bucket' ? ['le'] : [])]);
    }
  }
  return series;
}
