const PROCESS_FIELDS: Readonly<Record<string, string>> = {
  identity: 'worker',
  stackTrace: '',
};

/** A history without the names of the machine and process that made it; replaying reads none of them. */
export function scrub(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(scrub);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, scrubField(key, inner)]));
}

function scrubField(key: string, value: unknown): unknown {
  if (key in PROCESS_FIELDS && typeof value === 'string') return PROCESS_FIELDS[key];
  if (key === 'taskQueue' && isSticky(value)) return { ...value, name: 'sticky' };
  return scrub(value);
}

/** A worker's own queue, named after its process. */
function isSticky(value: unknown): value is object {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'TASK_QUEUE_KIND_STICKY';
}
