// Changes of the settings as steps of a label's history: one history for code, gestures and settings.
import { StateEffect } from "@codemirror/state";
import type { RenderSettings } from "../model/settings";

export interface SettingsStep {
  before: RenderSettings;
  after: RenderSettings;
}

export const settingsStep = StateEffect.define<SettingsStep>();
