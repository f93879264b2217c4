/** Prints one line for the user. */
export function print(line = ''): void {
  process.stdout.write(`${line}\n`);
}

/** Prints one JSON object per line, for programs. */
export function printObjects(items: readonly object[]): void {
  for (const item of items) print(JSON.stringify(item));
}

/** Prints columns as wide as their widest cell. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = rows.reduce<number[]>((most, row) => row.map((cell, i) => Math.max(most[i] ?? 0, cell.length)), []);
  for (const row of rows)
    print(
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}
