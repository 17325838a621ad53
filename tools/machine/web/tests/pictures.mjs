// The pictures of docs/: Studio with the demo of `tempo init` and with the chess program, on three screens. Not a test:
// `make pictures` takes them anew, and a person looks at them. TEMPO is the program, CHROMIUM the browser.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";

const tempo = resolve(process.env.TEMPO ?? "target/release/tempo");
const out = resolve(process.env.PICTURES ?? "docs");
const folder = mkdtempSync(join(tmpdir(), "pictures-"));

const serve = (words, cwd) =>
  new Promise((found, fail) => {
    const server = spawn(tempo, ["studio", ...words], { cwd, stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    server.stdout.on("data", (data) => {
      text += data;
      const match = /http:\/\/127\.0\.0\.1:\d+\/\S*/.exec(text);
      if (match) found({ server, address: match[0] });
    });
    server.on("exit", (code) => fail(new Error(`tempo studio ended with ${code}`)));
  });

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
const servers = [];
try {
  execFileSync(tempo, ["init", join(folder, "demo"), "--template", "demo"]);
  const studio = async (words, cwd, name, viewport, seconds, act) => {
    const { server, address } = await serve(words, cwd);
    servers.push(server);
    const page = await browser.newPage({ viewport });
    await page.goto(address);
    await page.waitForFunction(() => /frames\/s/.test(document.body.innerText) && document.querySelector("canvas"));
    await page.waitForTimeout(seconds * 1000);
    await act(page);
    await page.waitForTimeout(1500);
    await page.screenshot({ path: join(out, name) });
    await page.close();
  };
  const click = async (page, x, y) => {
    const box = await page.locator("canvas").first().boundingBox();
    await page.mouse.click(box.x + box.width * x, box.y + box.height * y);
  };
  const chess = ["asm/main.asm"], root = resolve(".");
  await studio([], join(folder, "demo"), "studio-raster.png", { width: 1280, height: 800 }, 4, (page) =>
    page.getByText("Raster", { exact: true }).first().click());
  await studio(chess, root, "studio-pixel.png", { width: 1920, height: 1080 }, 8, (page) => click(page, 0.32, 0.84));
  await studio(chess, root, "studio-phone.png", { width: 390, height: 844 }, 8, async () => {});
} finally {
  for (const server of servers) server.kill();
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
