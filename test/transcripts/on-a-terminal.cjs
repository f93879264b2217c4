/** `node -r test/transcripts/on-a-terminal.cjs bin/dueday.js …`: the program prints what it prints on a terminal. */
process.stdout.isTTY = true;
