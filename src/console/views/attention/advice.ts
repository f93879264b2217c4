import type { Attention } from '../common/schemas';

/** What a person does about it. The calls that it names as `/v1/attention/{item}/close` get the ids of the item. */
export function adviceOf(item: Attention): string | undefined {
  const ids: Readonly<Record<string, unknown>> = item;
  return item.matters[0]?.advice?.replaceAll(/\{(\w+)\}/g, (name, field: string) => {
    const id = ids[field];
    return typeof id === 'string' ? encodeURIComponent(id) : name;
  });
}
