//! Call hierarchy.

use lsp_types::{
    CallHierarchyIncomingCall, CallHierarchyIncomingCallsParams, CallHierarchyItem,
    CallHierarchyOutgoingCall, CallHierarchyOutgoingCallsParams, CallHierarchyPrepareParams, Range,
};
use tempo_editor::{FileSpan, Routine};

use super::symbols::{kind, outline_kinds};
use crate::context::{Answer, Context, place};

fn item(context: &Context, routine: &Routine) -> Option<CallHierarchyItem> {
    let source = context.source(&routine.place.file)?;
    Some(CallHierarchyItem {
        name: routine.name.clone(),
        kind: kind(routine.kind, outline_kinds(context)),
        tags: None,
        detail: None,
        uri: context.uri(&routine.place.file)?,
        range: context.range(&source, routine.whole),
        selection_range: context.range(&source, routine.place.span),
        data: None,
    })
}

/// The name that an item stands for.
fn named(context: &Context, item: &CallHierarchyItem) -> Answer<FileSpan> {
    let file = context.path(&item.uri)?;
    let span = context.span(&file, item.selection_range);
    Ok(FileSpan { file, span })
}

fn ranges(context: &Context, places: &[FileSpan]) -> Vec<Range> {
    places.iter().filter_map(|place| context.location(place)).map(|location| location.range).collect()
}

pub fn prepare(
    context: &Context,
    params: CallHierarchyPrepareParams,
) -> Answer<Option<Vec<CallHierarchyItem>>> {
    let at = context.at(&params.text_document_position_params)?;
    let routine = tempo_editor::routine_at(&context.snapshot, place(&at));
    Ok(routine.and_then(|routine| item(context, &routine)).map(|item| vec![item]))
}

pub fn incoming(
    context: &Context,
    params: CallHierarchyIncomingCallsParams,
) -> Answer<Option<Vec<CallHierarchyIncomingCall>>> {
    let calls = tempo_editor::incoming_calls(&context.snapshot, &named(context, &params.item)?);
    let call = |calls: &tempo_editor::CallsOf| {
        Some(CallHierarchyIncomingCall {
            from: item(context, &calls.routine)?,
            from_ranges: ranges(context, &calls.places),
        })
    };
    Ok(Some(calls.iter().filter_map(call).collect()))
}

pub fn outgoing(
    context: &Context,
    params: CallHierarchyOutgoingCallsParams,
) -> Answer<Option<Vec<CallHierarchyOutgoingCall>>> {
    let calls = tempo_editor::outgoing_calls(&context.snapshot, &named(context, &params.item)?);
    let call = |calls: &tempo_editor::CallsOf| {
        Some(CallHierarchyOutgoingCall {
            to: item(context, &calls.routine)?,
            from_ranges: ranges(context, &calls.places),
        })
    };
    Ok(Some(calls.iter().filter_map(call).collect()))
}
