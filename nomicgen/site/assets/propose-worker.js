/* The program, in a worker of the workshop: it is started from a blob, so that the page's policy binds it as well. It loads
   the Python for browsers and the program's own modules, and answers `{id, call, texts}` with `{id, said}` or
   `{id, failed}`. */
let game = null;
let module = null;

const bytes = async (address) => {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
};

const start = async ({ runtime, info, bundle, files }) => {
  const [{ loadPyodide }, packed, told] = await Promise.all([
    import(`${runtime}pyodide.mjs`),
    bytes(bundle),
    bytes(files),
  ]);
  const said = JSON.parse(new TextDecoder().decode(told));
  const python = await loadPyodide({
    indexURL: runtime,
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
  game = module.opened(JSON.stringify(said.files));
};

self.addEventListener("message", async ({ data: { id, call, texts } }) => {
  try {
    const said = call === "start" ? await start(...texts) : module[call](game, ...texts);
    self.postMessage({ id, said });
  } catch (error) {
    self.postMessage({ id, failed: String(error.message ?? error).trim().split("\n").at(-1) });
  }
});
