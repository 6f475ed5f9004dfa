package main

import "fmt"

// samples has one value of each kind of operand.
var samples = []struct{ name, expr string }{
	{"null", "null"}, {"bool", "true"}, {"int", "7"}, {"uint", "7u"}, {"double", "2.5"}, {"string", "'x'"}, {"bytes", "b'x'"},
	{"list", "[7]"}, {"map", "{'x': 7}"}, {"duration", "duration('1s')"}, {"timestamp", "timestamp(9)"}, {"type", "int"},
	{"optional", "optional.of(7)"}, {"quantity", "quantity('7')"}, {"ip", "ip('1.2.3.4')"},
}

var binaryOperators = []string{"+", "-", "*", "/", "%", "==", "<", "in", "&&"}

// operators crosses every pair of kinds with every operator, once where the checker sees the types and once not.
func operators() []Case {
	var cases []Case
	for _, left := range samples {
		for _, right := range samples {
			for _, operator := range binaryOperators {
				cases = append(cases, plain("%s %s %s", left.expr, operator, right.expr))
				cases = append(cases, plain("dyn(%s) %s dyn(%s)", left.expr, operator, right.expr))
			}
			cases = append(cases, plain("dyn(%s)[dyn(%s)]", left.expr, right.expr))
			cases = append(cases, plain("%s[%s]", left.expr, right.expr))
		}
	}
	for _, operand := range samples {
		for _, shape := range []string{"!%s", "-%s", "%s ? 1 : 2", "size(%s)", "type(%s)", "%s.x", "has(%s.x)", "%s || false", "%s && true", "[%[1]s] == [%[1]s]", "{'k': %[1]s} == {'k': %[1]s}", "%[1]s != %[1]s", "%[1]s <= %[1]s", "%[1]s >= %[1]s", "%[1]s > %[1]s"} {
			cases = append(cases, plain(shape, operand.expr), plain(shape, "dyn("+operand.expr+")"))
		}
	}
	return append(cases, logic()...)
}

// logic records how && and || absorb errors and values that are no booleans, and what that costs.
func logic() []Case {
	operands := []string{"true", "false", "dyn(1)", "1 / 0 == 1", "[true][5]", "dyn('a')", "dyn([])[0]"}
	var cases []Case
	for _, left := range operands {
		for _, right := range operands {
			for _, operator := range []string{"&&", "||"} {
				cases = append(cases, plain("%s %s %s", left, operator, right))
				cases = append(cases, plain("!(%s %s (%s %s true))", left, operator, right, operator))
			}
			cases = append(cases, plain("(%s) ? (%s) : 'other' == 'x'", left, right))
		}
	}
	return cases
}

var integers = []string{
	"0", "1", "-1", "2", "7", "-7", "9223372036854775807", "-9223372036854775808", "9223372036854775806", "4611686018427387904",
	"3037000500", "-3037000500", "9007199254740991", "9007199254740992", "9007199254740993", "-9007199254740993", "4294967296",
}

var unsigned = []string{"0u", "1u", "2u", "18446744073709551615u", "9223372036854775807u", "9223372036854775808u", "9007199254740993u", "4294967296u"}

var doubles = []string{
	"0.0", "-0.0", "1.0", "-1.0", "0.5", "1.5", "-1.5", "2.5", "1e18", "9223372036854775807.0", "9223372036854774784.0", "-9223372036854775808.0",
	"-9223372036854777856.0", "18446744073709551615.0", "18446744073709549568.0", "9007199254740992.0", "1e308", "1e-308", "(0.0/0.0)", "(1.0/0.0)", "(-1.0/0.0)",
}

// numeric records overflow, division, conversion and comparison at the edges of the number types.
func numeric() []Case {
	var cases []Case
	for i, left := range integers {
		for j, right := range integers {
			if i > 8 && j > 8 {
				continue
			}
			for _, operator := range []string{"+", "-", "*", "/", "%"} {
				cases = append(cases, plain("%s %s %s", left, operator, right))
			}
		}
	}
	for _, left := range unsigned {
		for _, right := range unsigned {
			for _, operator := range []string{"+", "-", "*", "/", "%"} {
				cases = append(cases, plain("%s %s %s", left, operator, right))
			}
		}
	}
	for _, left := range doubles[:9] {
		for _, right := range doubles {
			for _, operator := range []string{"+", "*", "/", "=="} {
				cases = append(cases, plain("%s %s %s", left, operator, right))
			}
		}
	}
	all := append(append(append([]string{}, integers...), unsigned...), doubles...)
	for _, value := range all {
		for _, conversion := range []string{"int", "uint", "double", "string", "bool", "-", "timestamp", "type", "dyn"} {
			cases = append(cases, plain("%s(%s)", conversion, value))
		}
	}
	return append(cases, crossComparisons()...)
}

func crossComparisons() []Case {
	var cases []Case
	edges := []string{"1", "-1", "9223372036854775807", "9007199254740993", "1u", "18446744073709551615u", "9223372036854775808u", "1.0", "-1.0", "9223372036854775807.0", "9007199254740992.0", "1e19", "(0.0/0.0)", "(1.0/0.0)"}
	for _, left := range edges {
		for _, right := range edges {
			for _, operator := range []string{"<", "<=", "=="} {
				cases = append(cases, plain("dyn(%s) %s %s", left, operator, right))
			}
			cases = append(cases, plain("%s < %s", left, right), plain("dyn(%s) in [dyn(%s)]", left, right))
		}
		cases = append(cases, plain("{1: 'i', 2: 'j'}[dyn(%s)]", left), plain("[1, 2][dyn(%s)]", left), Case{Expr: fmt.Sprintf("{dyn(%s): 1}", left)})
	}
	return cases
}
