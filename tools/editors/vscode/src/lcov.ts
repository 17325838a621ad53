//! Reads lcov tracefiles: lines and branches with their counts.

export interface FileHits {
  file: string;
  /// Line from 1, and how often it was executed.
  lines: [number, number][];
  branches: { line: number; name: string; count: number }[];
}

export function parseLcov(text: string): FileHits[] {
  const files: FileHits[] = [];
  let current: FileHits | undefined;
  for (const line of text.split(/\r?\n/)) {
    const colon = line.indexOf(":");
    const [key, value] = colon < 0 ? [line, ""] : [line.slice(0, colon), line.slice(colon + 1)];
    if (key === "SF") {
      current = { file: value, lines: [], branches: [] };
    } else if (key === "DA" && current) {
      const [at, count] = value.split(",").map(Number);
      if (at > 0 && count >= 0) {
        current.lines.push([at, count]);
      }
    } else if (key === "BRDA" && current) {
      const [at, , branch, count] = value.split(",");
      current.branches.push({ line: Number(at), name: branch, count: count === "-" ? 0 : Number(count) });
    } else if (key === "end_of_record" && current) {
      files.push(current);
      current = undefined;
    }
  }
  return files;
}
