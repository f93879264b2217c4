/** The period of the same length that ends where this one starts; an invalid one is left to the API to refuse. */
export function periodBefore(from: string, to: string): { readonly from: string; readonly to: string } {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  if (!(start < end)) return { from, to };
  return { from: new Date(start - (end - start)).toISOString(), to: from };
}
