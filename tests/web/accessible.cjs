// The accessibility checker on a page. Needs axe-core.

const assert = require("node:assert/strict");
const fs = require("node:fs");

const AXE = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

/** No finding of the accessibility checker. */
async function accessible(page, where) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  const findings = await page.evaluate(async () => (await window.axe.run()).violations);
  assert.deepEqual(
    findings.map(({ id, nodes }) => `${id}: ${nodes[0].html}`),
    [],
    where,
  );
}

module.exports = { accessible };
