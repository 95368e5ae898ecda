// Compiles the modules of the zip IN with Pyodide's own Python: `node compile.mjs FOLDER IN OUT LIBRARY`.
// FOLDER has Pyodide, and LIBRARY is the zip of its standard library. OUT is not compressed: the caller compresses it
// as one stream, which is smaller. Docstrings are emptied: nobody reads them there.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, from, into, library] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`));
const python = await loadPyodide({
  indexURL: `${folder}/`,
  stdLibURL: library,
  lockFileContents: readFileSync(`${folder}/lock.json`, "utf-8"),
  env: { HOME: "/", PYTHONNODEBUGRANGES: "1", PYTHONHASHSEED: "0" },
});
python.FS.writeFile("/in.zip", new Uint8Array(readFileSync(from)));
python.runPython(`
import ast, importlib._bootstrap_external as bootstrap, zipfile
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
with zipfile.ZipFile("/in.zip") as old, zipfile.ZipFile("/out.zip", "w") as new:
    for info in sorted(old.infolist(), key=lambda one: one.filename):
        data, name = old.read(info), info.filename
        if name.endswith(".py"):
            tree = ast.parse(data)
            for node in ast.walk(tree):
                if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
                    node.body[0].value.value = ""
            code = compile(tree, name, "exec", dont_inherit=True, optimize=0)
            data, name = bytes(bootstrap._code_to_timestamp_pyc(code, 0, 0)), f"{name}c"
        new.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data)
`);
writeFileSync(into, python.FS.readFile("/out.zip"));
