/** A workflow that only creates promises, for promise-stacks.cjs. */
exports.manyPromises = async function manyPromises(count) {
  for (let created = 0; created < count; created += 1) await Promise.resolve(created);
};
