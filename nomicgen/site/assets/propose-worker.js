/* The workshop's worker, in which the program runs. It is started from a blob, so that the page's policy binds it as well.
   It loads the Python for browsers and the program's own modules. A message `{id, call, texts}` asks for `start`, or a
   function of `site/workshop/judge.py`; the answer is `{id, said}` or `{id, failed}`. */
let game = null;
let module = null;

const fetched = async (address) => {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer;
};
const unpacked = async (address) => {
  const { body } = await fetched(address);
  return new Response(body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
};

const start = async ({ runtime, library, info, bundle, files }) => {
  const [{ loadPyodide }, held, packed, said] = await Promise.all([
    import(`${runtime}pyodide.mjs`),
    unpacked(`${runtime}${library}`),
    unpacked(bundle),
    fetched(files).then((answer) => answer.json()),
  ]);
  const stdLibURL = URL.createObjectURL(new Blob([held]));
  const python = await loadPyodide({
    indexURL: runtime,
    stdLibURL,
    packageBaseUrl: runtime,
    lockFileContents: { info, packages: {} },
    env: { PYTHONTZPATH: "/zones", HOME: "/" },
  });
  python.unpackArchive(packed, "zip", { extractDir: "/program" });
  if (said.zone) {
    const path = `/zones/${said.zone.name}`;
    python.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    python.FS.writeFile(path, Uint8Array.from(atob(said.zone.data), (one) => one.charCodeAt(0)));
  }
  python.runPython("import sys; sys.path.insert(0, '/program')");
  module = python.pyimport("nomicgen.site.workshop.judge");
  game = module.open_game(JSON.stringify(said.files));
};

self.addEventListener("message", async ({ data: { id, call, texts } }) => {
  try {
    const said = call === "start" ? await start(...texts) : module[call](game, ...texts);
    self.postMessage({ id, said });
  } catch (error) {
    self.postMessage({ id, failed: String(error.message ?? error).trim().split("\n").at(-1) });
  }
});
