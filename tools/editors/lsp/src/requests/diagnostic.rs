//! Problems that the client asks for, instead of being told.

use lsp_types::{
    DocumentDiagnosticParams, FullDocumentDiagnosticReport, RelatedFullDocumentDiagnosticReport,
    RelatedUnchangedDocumentDiagnosticReport, UnchangedDocumentDiagnosticReport, WorkspaceDiagnosticParams,
    WorkspaceDiagnosticReport, WorkspaceDocumentDiagnosticReport, WorkspaceFullDocumentDiagnosticReport,
    WorkspaceUnchangedDocumentDiagnosticReport,
};
use lsp_types::{DocumentDiagnosticReport, DocumentDiagnosticReportResult};

use crate::context::{Answer, Context, Failure};
use crate::publish::{self, diagnostics, fingerprint};

fn result_id(print: u64) -> String {
    format!("{print:016x}")
}

/// That a run was ended is nothing a user should read.
fn refuse_interrupted(problems: &[tempo_editor::Problem]) -> Answer<()> {
    let cancelled = Some(tempo_editor::ProblemCode::Assembler(tempo_assembler::Code::Cancelled));
    let is_interrupted = problems.iter().any(|problem| problem.code == cancelled);
    if is_interrupted { Err(Failure::Interrupted) } else { Ok(()) }
}

pub fn of_document(
    context: &Context,
    params: DocumentDiagnosticParams,
) -> Answer<DocumentDiagnosticReportResult> {
    let path = context.path(&params.text_document.uri)?;
    let problems = context.snapshot.problems_of(&path);
    refuse_interrupted(&problems)?;
    let items = diagnostics(context, &path, &problems);
    let result_id = result_id(fingerprint(&items));
    let report = if params.previous_result_id.as_ref() == Some(&result_id) {
        DocumentDiagnosticReport::Unchanged(RelatedUnchangedDocumentDiagnosticReport {
            related_documents: None,
            unchanged_document_diagnostic_report: UnchangedDocumentDiagnosticReport { result_id },
        })
    } else {
        let report = FullDocumentDiagnosticReport { result_id: Some(result_id), items };
        DocumentDiagnosticReport::Full(RelatedFullDocumentDiagnosticReport {
            related_documents: None,
            full_document_diagnostic_report: report,
        })
    };
    Ok(report.into())
}

pub fn of_workspace(
    context: &Context,
    params: WorkspaceDiagnosticParams,
) -> Answer<WorkspaceDiagnosticReport> {
    let mut all = publish::problems(context);
    if context.settings.only_open_files {
        all.retain(|path, _| context.version(path).is_some());
    }
    all.values().try_for_each(|problems| refuse_interrupted(problems))?;
    // A file that has none any more must be told so.
    for previous in &params.previous_result_ids {
        if let Ok(path) = context.path(&previous.uri) {
            all.entry(path).or_default();
        }
    }
    let mut items = Vec::new();
    for (path, problems) in all {
        let Some(uri) = context.uri(&path) else { continue };
        let version = context.version(&path).map(i64::from);
        let list = diagnostics(context, &path, &problems);
        let result_id = result_id(fingerprint(&list));
        let is_known = |known: &lsp_types::PreviousResultId| known.uri == uri && known.value == result_id;
        items.push(if params.previous_result_ids.iter().any(is_known) {
            WorkspaceDocumentDiagnosticReport::Unchanged(WorkspaceUnchangedDocumentDiagnosticReport {
                uri,
                version,
                unchanged_document_diagnostic_report: UnchangedDocumentDiagnosticReport { result_id },
            })
        } else {
            let report = FullDocumentDiagnosticReport { result_id: Some(result_id), items: list };
            WorkspaceDocumentDiagnosticReport::Full(WorkspaceFullDocumentDiagnosticReport {
                uri,
                version,
                full_document_diagnostic_report: report,
            })
        });
    }
    Ok(WorkspaceDiagnosticReport { items })
}
