//! Code actions: what the editor offers at a diagnostic.

use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, Command, Diagnostic, Range, TextEdit, WorkspaceEdit,
};
use selvedge_findings::{Confidence, FieldRef, Finding};
use selvedge_report::words;
use serde_json::json;

use crate::actions::{self, Texts as _};
use crate::commands::Order;
use crate::java::Source;
use crate::workspace::{Open, Workspace};
use crate::{diagnostics, uri};

/// What is offered at these diagnostics.
pub fn at(diagnostics: &[Diagnostic], workspaces: &[Workspace], open: &Open) -> Vec<CodeActionOrCommand> {
    let mut found = Vec::new();
    for diagnostic in diagnostics.iter().filter(|it| it.source.as_deref() == Some(diagnostics::SOURCE)) {
        let Some(key) = diagnostic.data.as_ref().and_then(|data| data.get("key")?.as_str()) else { continue };
        let known = workspaces.iter().find_map(|workspace| Some((workspace, workspace.finding(key)?)));
        if let Some((workspace, finding)) = known {
            found.extend(of_finding(finding, diagnostic, workspace, open));
        }
    }
    found
}

fn of_finding(
    finding: &Finding,
    diagnostic: &Diagnostic,
    workspace: &Workspace,
    open: &Open,
) -> Vec<CodeActionOrCommand> {
    let action = |title: String, edit: WorkspaceEdit, change: &str| {
        CodeActionOrCommand::CodeAction(CodeAction {
            title,
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![diagnostic.clone()]),
            edit: Some(edit),
            data: Some(json!({ "change": change })),
            ..CodeAction::default()
        })
    };
    let texts = workspace.texts(open);
    let changes =
        workspace.sources().map_or_else(Vec::new, |sources| actions::changes(finding, sources, &texts));
    let mut found: Vec<CodeActionOrCommand> = changes
        .into_iter()
        .filter_map(|change| {
            let text = texts.text(&change.path, &change.class)?;
            let edit = edit_of(&change, &text)?;
            Some(action(change.title, edit, change.name))
        })
        .collect();
    if let Some(edit) = suppression(finding, workspace, open) {
        let title = format!("Suppress the race on {} in selvedge.toml", words::subject(&finding.location));
        found.push(action(title, edit, "suppress"));
    }
    found.extend(Order::ALL.iter().filter_map(|order| {
        Some(CodeActionOrCommand::Command(Command {
            title: order.title()?.to_owned(),
            command: order.name().to_owned(),
            arguments: Some(vec![json!(finding.key)]),
        }))
    }));
    found
}

fn edit_of(change: &actions::Change, text: &str) -> Option<WorkspaceEdit> {
    let source = Source::new(text);
    let edit = |edit: &actions::Edit| TextEdit {
        range: Range::new(source.position(edit.range.start), source.position(edit.range.end)),
        new_text: edit.text.clone(),
    };
    let edits: Vec<TextEdit> = change.edits.iter().map(edit).collect();
    let changes = [(uri::of_path(&change.path)?, edits)];
    Some(WorkspaceEdit { changes: Some(changes.into_iter().collect()), ..WorkspaceEdit::default() })
}

/// Rules at the end of `selvedge.toml`, which is made if it is not there: one for each field of the finding, since a finding with a pair that
/// no rule covers stays. The reason is for the user to write.
fn suppression(finding: &Finding, workspace: &Workspace, open: &Open) -> Option<WorkspaceEdit> {
    // Of findings of low confidence not all pairs are kept.
    if finding.unlisted > 0 && finding.confidence == Confidence::Low {
        return None;
    }
    let mut fields: Vec<FieldRef> = Vec::new();
    for location in std::iter::once(&finding.location).chain(finding.pairs.iter().map(|pair| &pair.location))
    {
        let own = location
            .field
            .iter()
            .map(|field| FieldRef { class: location.class.clone(), field: field.clone() });
        let field = own.chain(location.held_by.iter().cloned()).next()?;
        if !fields.contains(&field) {
            fields.push(field);
        }
    }
    let path = workspace.root().join("selvedge.toml");
    let uri = uri::of_path(&path)?;
    let known = open.get(&path).cloned().or_else(|| std::fs::read_to_string(&path).ok());
    let text = known.clone().unwrap_or_default();
    let source = Source::new(&text);
    let line_end = source.line_end();
    let mut rules = String::new();
    if !text.is_empty() && !text.ends_with('\n') {
        rules += line_end;
    }
    for FieldRef { class, field } in fields {
        let gap = if text.is_empty() && rules.is_empty() { "" } else { line_end };
        rules += &format!(
            "{gap}[[suppress]]{line_end}field = \"{class}.{field}\"{line_end}reason = \"TODO: say why this race is harmless\"{line_end}"
        );
    }
    let end = source.position(text.len());
    let mut operations = Vec::new();
    if known.is_none() {
        operations.push(json!({ "kind": "create", "uri": uri, "options": { "ignoreIfExists": true } }));
    }
    operations.push(json!({
        "textDocument": { "uri": uri, "version": null },
        "edits": [{ "range": Range::new(end, end), "newText": rules }],
    }));
    serde_json::from_value(json!({ "documentChanges": operations })).ok()
}
