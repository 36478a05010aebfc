// Compiled, never run: the compiler checks that a `switch` over a kind or a code is complete.

import type {
  AppliedFileKind,
  ApplyOutcome,
  ApplyRefusalCode,
  ApplyWarningCode,
  FaultCode,
  GrepOutcome,
  Judgement,
  ReadOutcome,
  ReadRefusalCode,
  RecoverOutcome,
  RequestRefusalCode,
  ServeRequest,
  SessionErrorCode,
  UndoneFileKind,
  UndoOutcome,
  UndoRefusalCode,
} from "pi-hash";

/** Accepts only a variable that has no possible value left: if a case is missing, the call does not compile. */
function never(missing: never): never {
  throw new Error(`unexpected: ${missing}`);
}

export function applied(outcome: ApplyOutcome): string {
  switch (outcome.kind) {
    case "applied":
      return outcome.receipt ?? outcome.files.map((file) => changed(file.kind)).join();
    case "refused":
      return outcome.refusals.map((refusal) => advice(refusal.code)).join();
    default:
      return never(outcome);
  }
}

function changed(kind: AppliedFileKind): string {
  switch (kind) {
    case "changed":
    case "created":
    case "deleted":
    case "moved":
    case "unchanged":
      return kind;
    default:
      return never(kind);
  }
}

function advice(code: ApplyRefusalCode): "read again" | "send another request" | "ask the user" {
  switch (code) {
    case "stale_anchor":
    case "stale_range":
    case "file_changed":
    case "not_found":
    case "not_unique":
    case "repeated_noop":
    case "unseen_lines":
      return "read again";
    case "bad_patch":
    case "bad_anchor":
    case "printed_text":
    case "unencodable":
    case "malformed":
    case "bad_path":
    case "conflict":
    case "overlap":
    case "reversed_range":
    case "file_missing":
    case "file_exists":
    case "not_text":
    case "not_a_file":
      return "send another request";
    case "git_directory":
    case "outside_root":
    case "too_large":
    case "unreadable":
    case "read_only":
      return "ask the user";
    default:
      return never(code);
  }
}

export function read(outcome: ReadOutcome | GrepOutcome): RequestRefusalCode[] {
  switch (outcome.kind) {
    case "read":
      return outcome.files.every((file) => file.ok) ? [] : ["not_found"];
    case "grep":
      return outcome.matches > 0 ? [] : ["not_found"];
    case "refused":
      return outcome.refusals.map((refusal) => refusal.code);
    default:
      return never(outcome);
  }
}

export function undone(outcome: UndoOutcome): UndoRefusalCode | UndoneFileKind | undefined {
  switch (outcome.kind) {
    case "undone":
      return outcome.files[0]?.kind;
    case "refused":
      return outcome.refusals[0]?.code;
    default:
      return never(outcome);
  }
}

export function recovered(outcome: RecoverOutcome): boolean {
  switch (outcome.kind) {
    case "recovered":
      return outcome.leftAlone.length > 0;
    case "clean":
      return false;
    default:
      return never(outcome.kind);
  }
}

export function judged(judgement: Judgement): string {
  switch (judgement.kind) {
    case "allow":
      return "";
    case "block":
      return judgement.serve ? served(judgement.serve) : `${judgement.access}: ${judgement.instead}`;
    default:
      return never(judgement);
  }
}

function served(serve: ServeRequest): string {
  switch (serve.tool) {
    case "read":
      return serve.request.paths.map((file) => file.path).join();
    case "grep":
      return serve.request.pattern;
    case "several":
      return serve.parts.length.toString();
    default:
      return never(serve);
  }
}

// A code that does not exist must not compile.
const stale: ApplyRefusalCode = "stale_anchor";
const warning: ApplyWarningCode = "many_lines";
const fault: FaultCode = "locked";
const opening: SessionErrorCode = "bad_root";
const binary: ReadRefusalCode = "binary";
// @ts-expect-error there is no such code
const unknown: ApplyRefusalCode = "stale";

export { binary, fault, opening, stale, unknown, warning };
