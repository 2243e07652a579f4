// What the page says while it is used; the fixed texts stand in index.html.
import type { Find, Lang, Problem, Unit } from "./model";

/** Keeps a number and its unit on one line. */
const NB = "\u00a0";

export interface Strings {
  decimal: string;
  heading(find: Find): string;
  caption(find: Find): string;
  titleTail(find: Find): string;
  sentence(find: Find, grain: string, ta: string, unit: Unit, ur: string, moisture: string): string;
  basis(find: Find, dry: string): string;
  nothing(missing: boolean): string;
  taProblem(problem: Problem, unit: Unit, pole: string): string;
  urProblem(problem: Problem): string;
  moistureProblem(problem: Problem): string;
  taOutOfRange(unit: Unit): string;
  urOutOfRange: string;
  nearPole(find: Find, pole: string, unit: Unit): string;
  unconfirmed: string;
  unconfirmedShort: string;
  confidence: string;
  source: string;
  equation: string;
  constants: string;
  symbols: string;
  sensitivity: string;
  perHumidity(change: string): string;
  perMoisture(change: string): string;
  perDegree(find: Find, change: string, unit: Unit): string;
  humidityAxis: string;
  humidityUnit: string;
  moistureAxis: string;
  chartLabel(grain: string, ta: string, unit: Unit, low: string, high: string): string;
  chartPoint(ur: string, moisture: string): string;
  compareTitle(find: Find): string;
  compareUnits(find: Find, ta: string, unit: Unit, given: string): string;
  tableCaption(grain: string): string;
  temperatureHead(unit: Unit): string;
  copied: string;
  copyFailed: string;
  offline: string;
}

const en: Strings = {
  decimal: ".",
  heading: (find) => (find === "ur" ? "Which air keeps the grain as it is?" : "At what moisture will the grain settle?"),
  caption: (find) => (find === "ur" ? "Equilibrium humidity of the air" : "Equilibrium moisture"),
  titleTail: (find) => (find === "ur" ? "equilibrium humidity of the air" : "equilibrium moisture of grain"),
  sentence: (find, grain, ta, unit, ur, moisture) =>
    find === "ur"
      ? `${grain} with ${moisture}${NB}% moisture stays as it is in air of ${ta}${NB}°${unit} and ${ur}${NB}% humidity. Drier air dries it, moister air wets it.`
      : `${grain} in air of ${ta}${NB}°${unit} and ${ur}${NB}% humidity settles at ${moisture}${NB}% moisture. Moister grain dries in this air, drier grain takes up water.`,
  basis: (find, dry) => (find === "ur" ? `relative humidity · the grain has ${dry} % dry basis` : `wet basis · ${dry} % dry basis`),
  nothing: (missing) => (missing ? "Fill in the marked field to see the result." : "Correct the marked field to see the result."),
  taProblem: (problem, unit, pole) =>
    problem === "missing"
      ? "Enter the air temperature."
      : problem === "number"
        ? "Enter a number, such as 25.5 or 25,5."
        : problem === "pole"
          ? `These constants hold only above ${pole} °${unit}.`
          : unit === "F"
            ? "The temperature must lie between -22 and 176 °F."
            : "The temperature must lie between -30 and 80 °C.",
  urProblem: (problem) =>
    problem === "missing"
      ? "Enter the relative humidity."
      : problem === "number"
        ? "Enter a number, such as 70.5 or 70,5."
        : problem === "none"
          ? "The equation has no answer for this humidity at this temperature."
          : "The humidity must be above 0 and below 100 %.",
  moistureProblem: (problem) =>
    problem === "missing"
      ? "Enter the moisture of the grain."
      : problem === "number"
        ? "Enter a number, such as 14.5 or 14,5."
        : problem === "none"
          ? "No humidity between 0 and 100 % is in equilibrium with this moisture at this temperature."
          : "The moisture must be above 0 and below 100 %.",
  taOutOfRange: (unit) => `The temperature lies outside ${unit === "F" ? "32 to 122 °F" : "0 to 50 °C"}, where the constants hold.`,
  urOutOfRange: "The humidity lies outside 10 to 95 %, where the constants hold.",
  nearPole: (find, pole, unit) =>
    `The temperature is near the pole of the equation (${pole} °${unit}); the ${find === "ur" ? "humidity tends to be too low" : "moisture tends to be too high"} there.`,
  unconfirmed: "These constants are recalled from the standard and not confirmed.",
  unconfirmedShort: "unconfirmed",
  confidence: "Confidence",
  source: "Source",
  equation: "Equation",
  constants: "Constants",
  symbols: "M moisture, % dry basis; T temperature, °C; r relative humidity, 0 to 1",
  sensitivity: "Around this point",
  perHumidity: (change) => `${change} points for 1 % more humidity`,
  perMoisture: (change) => `${change} % humidity for 1 point more moisture`,
  perDegree: (find, change, unit) => `${change} ${find === "ur" ? "% humidity" : "points"} for 1 °${unit} more`,
  humidityAxis: "relative humidity, %",
  humidityUnit: "% RH",
  moistureAxis: "moisture, % wet basis",
  chartLabel: (grain, ta, unit, low, high) =>
    `Moisture of ${grain} over relative humidity at ${ta} °${unit}: from ${low} % at 10 % humidity to ${high} % at 95 %.`,
  chartPoint: (ur, moisture) => `Your point: ${ur} % humidity, ${moisture} % moisture.`,
  compareTitle: (find) => (find === "ur" ? "All grains with this moisture" : "All grains in this air"),
  compareUnits: (find, ta, unit, given) =>
    find === "ur"
      ? `Relative humidity in equilibrium with ${given}${NB}% moisture at ${ta}${NB}°${unit}`
      : `Equilibrium moisture in % wet basis at ${ta}${NB}°${unit} and ${given}${NB}% humidity`,
  tableCaption: (grain) => `${grain}: moisture in % wet basis; columns are relative humidity in %`,
  temperatureHead: (unit) => `°${unit}`,
  copied: "Link copied.",
  copyFailed: "The link could not be copied; it stands in the address bar.",
  offline: "The list of constants could not be loaded; the button Calculate still works.",
};

const pt: Strings = {
  decimal: ",",
  heading: (find) => (find === "ur" ? "Que ar mantém o grão como está?" : "Em que umidade o grão vai se estabilizar?"),
  caption: (find) => (find === "ur" ? "Umidade relativa de equilíbrio" : "Umidade de equilíbrio"),
  titleTail: (find) => (find === "ur" ? "umidade relativa de equilíbrio" : "umidade de equilíbrio de grãos"),
  sentence: (find, grain, ta, unit, ur, moisture) =>
    find === "ur"
      ? `${grain} com ${moisture}${NB}% de umidade fica como está em ar a ${ta}${NB}°${unit} e ${ur}${NB}% de umidade relativa. Ar mais seco seca o grão, ar mais úmido o umedece.`
      : `${grain} em ar a ${ta}${NB}°${unit} e ${ur}${NB}% de umidade relativa se estabiliza em ${moisture}${NB}% de umidade. Grão mais úmido seca nesse ar, grão mais seco absorve água.`,
  basis: (find, dry) => (find === "ur" ? `umidade relativa · o grão tem ${dry} % base seca` : `base úmida · ${dry} % base seca`),
  nothing: (missing) => (missing ? "Preencha o campo marcado para ver o resultado." : "Corrija o campo marcado para ver o resultado."),
  taProblem: (problem, unit, pole) =>
    problem === "missing"
      ? "Informe a temperatura do ar."
      : problem === "number"
        ? "Informe um número, como 25,5 ou 25.5."
        : problem === "pole"
          ? `Estas constantes só valem acima de ${pole} °${unit}.`
          : unit === "F"
            ? "A temperatura deve ficar entre -22 e 176 °F."
            : "A temperatura deve ficar entre -30 e 80 °C.",
  urProblem: (problem) =>
    problem === "missing"
      ? "Informe a umidade relativa."
      : problem === "number"
        ? "Informe um número, como 70,5 ou 70.5."
        : problem === "none"
          ? "A equação não tem resposta para esta umidade relativa nesta temperatura."
          : "A umidade relativa deve ser maior que 0 e menor que 100 %.",
  moistureProblem: (problem) =>
    problem === "missing"
      ? "Informe a umidade do grão."
      : problem === "number"
        ? "Informe um número, como 14,5 ou 14.5."
        : problem === "none"
          ? "Nenhuma umidade relativa entre 0 e 100 % está em equilíbrio com esta umidade do grão nesta temperatura."
          : "A umidade do grão deve ser maior que 0 e menor que 100 %.",
  taOutOfRange: (unit) => `A temperatura está fora de ${unit === "F" ? "32 a 122 °F" : "0 a 50 °C"}, onde as constantes valem.`,
  urOutOfRange: "A umidade relativa está fora de 10 a 95 %, onde as constantes valem.",
  nearPole: (find, pole, unit) =>
    `A temperatura está perto do polo da equação (${pole} °${unit}); a ${find === "ur" ? "umidade relativa tende a ser baixa" : "umidade tende a ser alta"} demais aí.`,
  unconfirmed: "Estas constantes são citadas de memória da norma e não foram confirmadas.",
  unconfirmedShort: "não confirmado",
  confidence: "Confiança",
  source: "Fonte",
  equation: "Equação",
  constants: "Constantes",
  symbols: "M umidade, % base seca; T temperatura, °C; r umidade relativa, 0 a 1",
  sensitivity: "Em torno deste ponto",
  perHumidity: (change) => `${change} ponto por 1 % a mais de umidade relativa`,
  perMoisture: (change) => `${change} % de umidade relativa por 1 ponto a mais de umidade`,
  perDegree: (find, change, unit) => `${change} ${find === "ur" ? "% de umidade relativa" : "ponto"} por 1 °${unit} a mais`,
  humidityAxis: "umidade relativa, %",
  humidityUnit: "% UR",
  moistureAxis: "umidade do grão, % base úmida",
  chartLabel: (grain, ta, unit, low, high) =>
    `Umidade de ${grain} conforme a umidade relativa a ${ta} °${unit}: de ${low} % com 10 % até ${high} % com 95 %.`,
  chartPoint: (ur, moisture) => `Seu ponto: ${ur} % de umidade relativa, ${moisture} % de umidade do grão.`,
  compareTitle: (find) => (find === "ur" ? "Todas as culturas com esta umidade" : "Todas as culturas neste ar"),
  compareUnits: (find, ta, unit, given) =>
    find === "ur"
      ? `Umidade relativa em equilíbrio com ${given}${NB}% de umidade do grão a ${ta}${NB}°${unit}`
      : `Umidade de equilíbrio em % base úmida a ${ta}${NB}°${unit} e ${given}${NB}% de umidade relativa`,
  tableCaption: (grain) => `${grain}: umidade do grão em % base úmida; as colunas são a umidade relativa em %`,
  temperatureHead: (unit) => `°${unit}`,
  copied: "Link copiado.",
  copyFailed: "Não foi possível copiar; o link está na barra de endereço.",
  offline: "A lista de constantes não pôde ser carregada; o botão Calcular continua funcionando.",
};

export function strings(lang: Lang): Strings {
  return lang === "pt" ? pt : en;
}
