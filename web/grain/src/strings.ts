// What the page says while it is used; the fixed texts stand in index.html.
import type { Lang, Problem, Unit } from "./model";

/** Keeps a number and its unit on one line. */
const NB = "\u00a0";

export interface Strings {
  decimal: string;
  titleTail: string;
  sentence(grain: string, ta: string, unit: Unit, ur: string, moisture: string): string;
  dry(value: string): string;
  noValue: string;
  taProblem(problem: Problem, unit: Unit, pole: string): string;
  urProblem(problem: Problem): string;
  taOutOfRange(unit: Unit): string;
  urOutOfRange: string;
  nearPole(pole: string, unit: Unit): string;
  unconfirmed: string;
  confidence: string;
  source: string;
  equation: string;
  constants: string;
  symbols: string;
  sensitivity: string;
  perHumidity(change: string): string;
  perDegree(change: string, unit: Unit): string;
  humidityAxis: string;
  moistureAxis: string;
  chartLabel(grain: string, ta: string, unit: Unit, low: string, high: string): string;
  chartPoint(ur: string, moisture: string): string;
  tableCaption(grain: string): string;
  temperatureHead(unit: Unit): string;
  copied: string;
  copyFailed: string;
  offline: string;
}

const en: Strings = {
  decimal: ".",
  titleTail: "equilibrium moisture of grain",
  sentence: (grain, ta, unit, ur, moisture) =>
    `${grain} in air of ${ta}${NB}°${unit} and ${ur}${NB}% humidity settles at ${moisture}${NB}% moisture.`,
  dry: (value) => `${value} % dry basis`,
  noValue: "Enter a temperature and a humidity to see the moisture.",
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
        ? "Enter a number, such as 70 or 70,5."
        : problem === "none"
          ? "The equation has no answer for this humidity at this temperature."
          : "The humidity must be above 0 and below 100 %.",
  taOutOfRange: (unit) => `The temperature lies outside ${unit === "F" ? "32 to 122 °F" : "0 to 50 °C"}, where the constants hold.`,
  urOutOfRange: "The humidity lies outside 10 to 95 %, where the constants hold.",
  nearPole: (pole, unit) => `The temperature is near the pole of the equation (${pole} °${unit}); the moisture tends to be too high there.`,
  unconfirmed: "These constants are recalled from the standard and not confirmed.",
  confidence: "Confidence",
  source: "Source",
  equation: "Equation",
  constants: "Constants",
  symbols: "M moisture, % dry basis; T temperature, °C; r relative humidity, 0 to 1",
  sensitivity: "Around this point",
  perHumidity: (change) => `${change} points for 1 % more humidity`,
  perDegree: (change, unit) => `${change} points for 1 °${unit} more`,
  humidityAxis: "relative humidity, %",
  moistureAxis: "moisture, % wet basis",
  chartLabel: (grain, ta, unit, low, high) =>
    `Moisture of ${grain} over relative humidity at ${ta} °${unit}: from ${low} % at 10 % humidity to ${high} % at 95 %.`,
  chartPoint: (ur, moisture) => `Your point: ${ur} % humidity, ${moisture} % moisture.`,
  tableCaption: (grain) => `${grain}: moisture in % wet basis; columns are relative humidity in %`,
  temperatureHead: (unit) => `°${unit}`,
  copied: "Link copied.",
  copyFailed: "The link could not be copied; it stands in the address bar.",
  offline: "The list of constants could not be loaded; the button Calculate still works.",
};

const pt: Strings = {
  decimal: ",",
  titleTail: "umidade de equilíbrio de grãos",
  sentence: (grain, ta, unit, ur, moisture) =>
    `${grain} em ar a ${ta}${NB}°${unit} e ${ur}${NB}% de umidade relativa se estabiliza em ${moisture}${NB}% de umidade.`,
  dry: (value) => `${value} % base seca`,
  noValue: "Informe a temperatura e a umidade relativa para ver a umidade do grão.",
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
        ? "Informe um número, como 70 ou 70,5."
        : problem === "none"
          ? "A equação não tem resposta para esta umidade relativa nesta temperatura."
          : "A umidade relativa deve ser maior que 0 e menor que 100 %.",
  taOutOfRange: (unit) => `A temperatura está fora de ${unit === "F" ? "32 a 122 °F" : "0 a 50 °C"}, onde as constantes valem.`,
  urOutOfRange: "A umidade relativa está fora de 10 a 95 %, onde as constantes valem.",
  nearPole: (pole, unit) => `A temperatura está perto do polo da equação (${pole} °${unit}); a umidade tende a ser alta demais aí.`,
  unconfirmed: "Estas constantes são citadas de memória da norma e não foram confirmadas.",
  confidence: "Confiança",
  source: "Fonte",
  equation: "Equação",
  constants: "Constantes",
  symbols: "M umidade, % base seca; T temperatura, °C; r umidade relativa, 0 a 1",
  sensitivity: "Em torno deste ponto",
  perHumidity: (change) => `${change} ponto por 1 % a mais de umidade relativa`,
  perDegree: (change, unit) => `${change} ponto por 1 °${unit} a mais`,
  humidityAxis: "umidade relativa, %",
  moistureAxis: "umidade do grão, % base úmida",
  chartLabel: (grain, ta, unit, low, high) =>
    `Umidade de ${grain} conforme a umidade relativa a ${ta} °${unit}: de ${low} % com 10 % até ${high} % com 95 %.`,
  chartPoint: (ur, moisture) => `Seu ponto: ${ur} % de umidade relativa, ${moisture} % de umidade do grão.`,
  tableCaption: (grain) => `${grain}: umidade do grão em % base úmida; as colunas são a umidade relativa em %`,
  temperatureHead: (unit) => `°${unit}`,
  copied: "Link copiado.",
  copyFailed: "Não foi possível copiar; o link está na barra de endereço.",
  offline: "A lista de constantes não pôde ser carregada; o botão Calcular continua funcionando.",
};

export function strings(lang: Lang): Strings {
  return lang === "pt" ? pt : en;
}
